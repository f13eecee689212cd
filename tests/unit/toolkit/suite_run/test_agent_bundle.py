from pathlib import Path

from aml.toolkit.suite_run.agent_bundle import EXCERPT_LENGTH, AgentBundle, read_asked
from aml.toolkit.suites.bundle import write_suite
from aml.toolkit.suites.presets import PRESETS


def a_bundle(tmp_path: Path) -> tuple[AgentBundle, dict[str, str]]:
    manifest = write_suite(tmp_path / "suite", PRESETS["standard"], limit=1)
    bundle = AgentBundle(name="suite", path=tmp_path / "suite", sha256=manifest.sha256)
    return bundle, {key.question_id: key.ask for key in manifest.questions}


def test_every_question_is_found_in_the_bundles_order_with_what_its_answer_rests_on(tmp_path: Path) -> None:
    bundle, asks = a_bundle(tmp_path)

    asked = read_asked(bundle)

    assert {each.question_id: each.text for each in asked.by_id.values()} == asks
    assert list(asked.by_id) == list(asks)
    rests = [each for each in asked.by_id.values() if each.evidence]
    assert rests
    assert all(0 < len(session.excerpt) <= EXCERPT_LENGTH + 1 for each in rests for session in each.evidence)
    assert all(session.on is not None for each in rests for session in each.evidence)


def test_the_time_of_asking_is_found_by_user_and_text(tmp_path: Path) -> None:
    """One text is asked at several depths, each at its own time."""
    bundle, _ = a_bundle(tmp_path)

    asked = read_asked(bundle)

    for each in asked.by_id.values():
        assert each.asked_at is not None
        assert asked.asked_at(f"eval:job-1:suite:{each.sample_id}", each.text) == each.asked_at
    assert asked.asked_at("eval:job-1:suite:nobody", "What?") is None
