from importlib.resources import files
from pathlib import Path

import pytest

from aml.toolkit.suites.errors import ScenariosMissing, ScenarioUnreadable
from aml.toolkit.suites.library import decode_scenarios, own_library, own_scenarios, read_folder, scenarios_by_category

HEAD = 'category = "abstention"\nlanguage = "en"\n'


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ("category = ", None, "is no valid TOML"),
        (HEAD, None, "missing required field `scenarios`"),
        (HEAD + "scenarios = []", "scenarios", "length >= 1"),
        (HEAD.replace("abstention", "abstinence") + "scenarios = []", "category", "Invalid enum value 'abstinence'"),
        (HEAD + "colour = 1\nscenarios = []", None, "unknown field `colour`"),
        (HEAD + "[[scenarios]]\nid = 'A b'", "scenarios[0].id", "matching regex"),
        (HEAD + "[[scenarios]]\nid = 'a'\ndifficulty = 'vile'", "scenarios[0].difficulty", "Invalid enum value 'vile'"),
    ],
)
def test_a_file_of_another_shape_is_refused_with_its_field(text: str, field: str | None, said: str) -> None:
    with pytest.raises(ScenarioUnreadable) as caught:
        decode_scenarios("x.toml", text.encode())
    assert (caught.value.file, caught.value.field) == ("x.toml", field)
    assert said in caught.value.problem
    assert str(caught.value).startswith("x.toml")


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(ScenarioUnreadable):
        decode_scenarios("x.toml", b"\xff\xfe")


def test_a_folder_that_is_not_there_or_holds_nothing(tmp_path: Path) -> None:
    with pytest.raises(ScenariosMissing, match="does not exist"):
        list(read_folder(tmp_path / "none"))
    with pytest.raises(ScenariosMissing, match=r"holds no \.toml files"):
        list(read_folder(tmp_path))


def test_files_of_one_category_are_joined_and_other_languages_left_out() -> None:
    source = next(own_library("en"))
    joined = scenarios_by_category(iter([source, source]), "en")
    assert len(joined["basic_retention"]) == 2 * len(source.file.scenarios)
    assert scenarios_by_category(iter([source]), "zh") == {}


def test_a_byte_order_mark_is_no_problem(tmp_path: Path) -> None:
    own = own_scenarios("basic_retention", "en")
    (tmp_path / "a.toml").write_bytes(
        b"\xef\xbb\xbf" + files("aml.toolkit.suites").joinpath("scenarios/en/basic_retention.toml").read_bytes()
    )

    (source,) = read_folder(tmp_path)

    assert source.file == own.file


def test_a_file_nested_beyond_reading_is_refused() -> None:
    with pytest.raises(ScenarioUnreadable, match=r"deep\.toml: is nested too deeply"):
        decode_scenarios("deep.toml", b"category = " + b"[" * 5_000 + b"]" * 5_000)
