from pathlib import Path

import pytest

from aml.gateway.access.bodies import AccessApplication
from aml.gateway.donations.bodies import BenchmarkOrder
from aml.toolkit.client.templates import APPLICATION, PROPOSAL
from aml.toolkit.client.written_file import as_body, read_written, with_fields, written
from aml.toolkit.evaluation.errors import WrongUsage

NEEDED = [
    "contact=Ada", "organisation=Lab", "system=Recall", "version=2.10", "public_display_consent=true",
    "endpoints.add_url=https://example.org/add", "endpoints.search_url=https://example.org/search",
]  # fmt: skip


def test_a_template_filled_in_is_an_application(tmp_path: Path) -> None:
    file = tmp_path / "application.toml"
    file.write_text(APPLICATION)

    application = as_body(written(file, NEEDED), AccessApplication, "file")

    assert (application.version, application.public_display_consent) == ("2.10", True)
    assert application.endpoints.health_url is None, "an empty line of the template says nothing"
    assert application.capacity.max_search_concurrency == 16


def test_a_proposals_template_filled_in_is_a_proposal(tmp_path: Path) -> None:
    file = tmp_path / "proposal.toml"
    file.write_text(PROPOSAL.replace("provenance = []", 'provenance = ["https://example.org"]'))
    given = [f"{name}=x" for name in ("contact", "organisation", "title", "scale", "measures", "sample")]

    offer = as_body(written(file, [*given, "email=a@b.c", "license=MIT"]), BenchmarkOrder, "file")

    assert offer.provenance == ["https://example.org"]


def test_json_is_read_as_well(tmp_path: Path) -> None:
    file = tmp_path / "application.json"
    file.write_text(' {"contact": "Ada"}')
    assert read_written(file) == {"contact": "Ada"}


def test_fields_go_over_the_file_and_leave_the_rest() -> None:
    before = {"a": "1", "t": {"x": "1", "y": "2"}}

    assert with_fields(before, ["a=b=c", "t.x=3", "new.z=4"], "--set") == {
        "a": "b=c", "t": {"x": "3", "y": "2"}, "new": {"z": "4"},
    }  # fmt: skip
    assert before == {"a": "1", "t": {"x": "1", "y": "2"}}


@pytest.mark.parametrize("given", ["nothing", "=x", "a.b.c=1", "a.b=1"])
def test_what_is_no_field_is_refused(given: str) -> None:
    with pytest.raises(WrongUsage, match="--set"):
        with_fields({"a": "text"}, [given], "--set")


@pytest.mark.parametrize("content", [b"a = ", b"{", b"\xff", b"{" * 10_000, b"x" * 300_000])
def test_a_file_that_is_neither_is_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad"
    file.write_bytes(content)

    with pytest.raises(WrongUsage) as raised:
        read_written(file)
    assert "\n" not in str(raised.value)


def test_neither_file_nor_field_points_to_the_template() -> None:
    with pytest.raises(WrongUsage, match="--template"):
        written(None, ())


def test_a_wrong_field_is_named() -> None:
    with pytest.raises(WrongUsage, match=r"track"):
        as_body(
            with_fields({}, [*NEEDED, "track=olfactory", "division=commercial"], "--set"), AccessApplication, "--set"
        )
