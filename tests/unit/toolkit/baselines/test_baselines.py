"""Baselines: kept as files, compared only with what measured the same thing."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.factories.suite_results import a_provenance, a_question, a_result

from aml.toolkit.baselines import BaselineBroken, BaselineMissing, BaselineStore, Comparison, Incomparable


def test_a_saved_baseline_is_read_again(tmp_path: Path) -> None:
    store, result = BaselineStore(tmp_path / "kept"), a_result([a_question(score=80)])

    path = store.save(result, "window 20 / mini")

    assert path.name == "window-20-mini.json"
    assert store.load("window 20 / mini").overall == 80
    assert [each.label for each in store.load_all()] == ["window 20 / mini"]
    assert "It was thing" not in path.read_text()


def test_the_same_result_gives_the_same_file(tmp_path: Path) -> None:
    result = a_result([a_question(score=80)])

    first, second = [BaselineStore(tmp_path / name).save(result, "x").read_bytes() for name in ("a", "b")]

    assert first == second


@pytest.mark.parametrize("label", ["../../etc/passwd", "a/b", "C:\\x", "x" * 300, "名前 1", "-.hidden"])
def test_a_label_never_leaves_the_folder(tmp_path: Path, label: str) -> None:
    path = BaselineStore(tmp_path).save(a_result([a_question()]), label)

    assert path.parent == tmp_path
    assert path.name[0] != "."


@pytest.mark.parametrize("label", ["", "..", "///", "—"])
def test_a_label_of_which_nothing_is_left_is_refused(tmp_path: Path, label: str) -> None:
    with pytest.raises(ValueError, match="choose another"):
        BaselineStore(tmp_path).save(a_result([a_question()]), label)


def test_labels_of_other_scripts_have_files_of_their_own(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    for label, score in (("模型甲 quick zh", 40), ("模型乙 quick zh", 80), ("x" * 300, 20), ("x" * 301, 60)):
        store.save(a_result([a_question(score=score)]), label)

    assert store.load("模型甲 quick zh").overall == 40
    assert store.load("x" * 300).overall == 20
    assert len(store.load_all()) == 4


def test_a_label_never_takes_the_file_of_another(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.save(a_result([a_question()]), "window 20")

    with pytest.raises(ValueError, match="of the baseline 'window 20'; choose another"):
        store.save(a_result([a_question()]), "window-20")
    with pytest.raises(BaselineMissing, match="window 20"):
        store.load("window-20")


def test_saving_at_once_leaves_one_whole_file(tmp_path: Path) -> None:
    store, result = BaselineStore(tmp_path), a_result([a_question(score=80)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: store.save(result, "main"), range(100)))

    assert [path.name for path in tmp_path.iterdir()] == ["main.json"]
    assert store.load("main").overall == 80


def test_an_unknown_label_says_what_there_is(tmp_path: Path) -> None:
    BaselineStore(tmp_path).save(a_result([a_question()]), "main")

    with pytest.raises(BaselineMissing, match="there are: main"):
        BaselineStore(tmp_path).load("other")


@pytest.mark.parametrize("content", [b"", b"{}", b"{", b"[]", b"\xff"])
def test_a_broken_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "main.json").write_bytes(content)

    with pytest.raises(BaselineBroken, match=r"main\.json"):
        BaselineStore(tmp_path).load("main")


def test_a_difference_is_shown_by_category_with_the_questions_that_fell(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.save(a_result([a_question(score=100, number=n) for n in range(4)]), "main")

    found = store.compare(a_result([a_question(score=100 if n else 20, number=n) for n in range(4)]), "main")

    assert isinstance(found, Comparison)
    assert found.overall_points == -20
    assert (found.worse, found.better) == (("basic_retention-0",), ())
    assert [(each.category, each.points, each.overlapping) for each in found.categories] == [
        ("basic_retention", -20, True)
    ]


def test_what_measured_something_else_is_not_compared(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.save(a_result([a_question()], provenance=a_provenance(dataset_sha256="d" * 64)), "main")

    found = store.compare(a_result([a_question()]), "main")

    assert isinstance(found, Incomparable)
    assert found.differences == ("dataset: aaaaaaaaaaaa… here, dddddddddddd… there",)


def test_an_incomplete_result_is_not_compared(tmp_path: Path) -> None:
    store = BaselineStore(tmp_path)
    store.save(a_result([a_question()]), "main")

    found = store.compare(a_result([a_question(score=None)]), "main")

    assert found == Incomparable(label="main", differences=("this result is incomplete",))
