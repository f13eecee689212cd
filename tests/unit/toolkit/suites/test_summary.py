from aml.toolkit.suites.compilation import compile_cases, pick_scenarios
from aml.toolkit.suites.presets import PRESETS
from aml.toolkit.suites.summary import summarise


def test_it_counts_what_is_compiled() -> None:
    full = PRESETS["full"]
    picks = pick_scenarios(full)
    summary = summarise(full, picks, "en")
    cases = list(compile_cases(full, picks, seed=42, language="en"))
    assert summary.samples == len(cases)
    assert summary.questions == sum(len(case.keys) for case in cases)
    for each in summary.categories:
        keys = [key for case in cases for key in case.keys if key.category == each.category]
        assert each.questions == len(keys) == sum(each.judges.values())
        assert each.scenarios == len({key.scenario for key in keys}) == sum(each.difficulties.values())
    assert sum(each.weight for each in summary.categories) == 100
