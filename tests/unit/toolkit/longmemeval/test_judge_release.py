from pathlib import Path
from typing import Any

import pytest

from aml.judge.release_check import check_release
from aml.judge.scoring.verdict_parse import parse_verdict
from aml.runtime.release_folder import bundled_releases, load_release
from aml.toolkit.longmemeval.errors import OptionInvalid
from aml.toolkit.longmemeval.judge_release import derive_release, write_release
from aml.toolkit.longmemeval.options import LongMemEvalOptions

MODEL, RULES = bundled_releases()["toolkit-openai"], bundled_releases()["toolkit"]


def derived(tmp_path: Path, **options: Any) -> Path:
    release = derive_release(MODEL, LongMemEvalOptions(**options))
    assert release is not None
    return write_release(release, tmp_path)


def test_options_that_leave_the_judge_alone_make_no_release() -> None:
    assert derive_release(MODEL, LongMemEvalOptions(judge_evidence_mode="raw", answer_seed=3)) is None


def test_each_setting_reaches_the_release_and_the_services_accept_it(tmp_path: Path) -> None:
    folder = derived(
        tmp_path,
        max_judge_retries=1,
        judge_temperature=0.5,
        judge_max_output_tokens=512,
        judge_decomposition="per_predicate_majority",
    )
    loaded = load_release(folder)
    check_release(loaded, folder)
    judge = loaded.release.judge
    assert (judge.readings, judge.temperature, judge.max_tokens) == (2, 0.5, 512)
    base = load_release(MODEL).release
    assert judge.attempts == base.judge.attempts
    decomposed = {name for name, rule in loaded.release.scoring.items() if rule.decompose == "majority"}
    assert len(decomposed) == 6
    assert "longmemeval_abstention" not in decomposed
    assert loaded.release.comparable is False


def test_free_text_asks_for_a_line_that_the_judge_can_read(tmp_path: Path) -> None:
    folder = derived(tmp_path, judge_verdict_protocol="free_text")
    loaded, base = load_release(folder), load_release(MODEL)
    for name, rule in loaded.release.scoring.items():
        prompt = rule.judge_prompt or ""
        same = loaded.prompts[prompt] == base.prompts[prompt]
        assert same is not name.startswith("longmemeval_")
    assert "JSON" not in loaded.prompts["longmemeval_complete.md"]
    verdict = parse_verdict("It names the same town, so it agrees.\nIncorrect.")
    assert verdict is not None
    assert verdict.correct is False


def test_the_id_follows_from_the_settings(tmp_path: Path) -> None:
    one, again = (derived(tmp_path / str(each), max_judge_retries=0).name for each in range(2))
    assert one == again != derived(tmp_path, max_judge_retries=2).name
    assert one.startswith("toolkit-openai-lme-")


def test_a_judge_without_a_model_has_nothing_to_set() -> None:
    with pytest.raises(OptionInvalid, match=r"judge_temperature: .*release='toolkit-openai'"):
        derive_release(RULES, LongMemEvalOptions(judge_temperature=0.2))


def test_a_release_that_is_laid_out_otherwise_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "toolkit-openai"
    (folder / "prompts").mkdir(parents=True)
    for path in MODEL.rglob("*"):
        if path.is_file():
            text = path.read_text().replace("Reply with one JSON object", "Answer in one JSON object")
            (folder / path.relative_to(MODEL)).write_text(text)
    with pytest.raises(OptionInvalid, match="release of your own"):
        derive_release(folder, LongMemEvalOptions(judge_verdict_protocol="free_text"))
