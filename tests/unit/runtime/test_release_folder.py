from pathlib import Path

import pytest

from aml.runtime.release_folder import (
    ReleaseError,
    UnknownRelease,
    bundled_releases,
    find_release,
    folder_digest,
    load_release,
    prompt_fingerprint,
)

MANIFEST = """
release_id = "mine"
title = "Mine"
comparable = false
track = "textual"
top_k = 10
datasets = []
smoke_datasets = []
[answer]
kind = "extractive"
[judge]
kind = "rules"
[scoring]
open = { rule = "rule_judge" }
"""


def a_folder(tmp_path: Path, manifest: str = MANIFEST, name: str = "mine", **prompts: str) -> Path:
    folder = tmp_path / name
    (folder / "prompts").mkdir(parents=True)
    (folder / "release.toml").write_text(manifest, encoding="utf-8")
    for prompt, text in prompts.items():
        (folder / "prompts" / f"{prompt}.md").write_text(text, encoding="utf-8")
    return folder


def test_a_release_is_loaded_with_its_prompts_and_their_fingerprints(tmp_path: Path) -> None:
    loaded = load_release(a_folder(tmp_path, answer="Answer: {{question}}"))
    assert loaded.release.release_id == "mine"
    assert loaded.prompts == {"answer.md": "Answer: {{question}}"}
    assert loaded.fingerprints == {"answer.md": prompt_fingerprint("Answer: {{question}}")}


def test_any_change_of_any_file_changes_the_digest(tmp_path: Path) -> None:
    folder = a_folder(tmp_path, answer="a")
    digests = {load_release(folder).digest}
    (folder / "prompts" / "answer.md").write_text("b")
    digests.add(load_release(folder).digest)
    (folder / "notes.txt").write_text("")
    digests.add(load_release(folder).digest)
    (folder / "notes.txt").rename(folder / "notes2.txt")
    digests.add(load_release(folder).digest)
    assert len(digests) == 4


def test_names_and_contents_cannot_run_into_each_other() -> None:
    assert folder_digest({"a": b"bc"}) != folder_digest({"ab": b"c"})
    assert folder_digest({"a": b"b", "c": b"d"}) == folder_digest({"c": b"d", "a": b"b"})


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("top_k = 10", "top_k = ", "is not TOML"),
        ("top_k = 10", 'top_k = "10"', r"Expected `int`, got `str` - at `\$.top_k`"),
        ("top_k = 10", "top_k = 10\ntop_l = 1", "unknown field `top_l`"),
        ('track = "textual"\n', "", "missing required field `track`"),
        ('"rule_judge"', '"guess"', r"Invalid enum value 'guess' - at `\$.scoring\[...\].rule`"),
        ('"rule_judge"', '"llm_judge"', "scoring.open.judge_prompt is missing"),
        (
            '"rule_judge"',
            '"rule_judge", decompose = "majority"',
            "scoring.open.decompose goes with the rule 'llm_judge'",
        ),
        ('rule = "rule_judge"', 'rule = "choice", answer_prompt = "none.md"', "names the prompt 'none.md'"),
        ('kind = "extractive"', 'kind = "rules"', "answer.kind is 'rules'"),
        ('kind = "extractive"', 'kind = "openai"', "answer.model is missing"),
        ('"mine"', '"other"', "must be the folder's name"),
    ],
)
def test_a_wrong_manifest_is_refused_by_field(tmp_path: Path, old: str, new: str, problem: str) -> None:
    folder = a_folder(tmp_path, MANIFEST.replace(old, new, 1))
    with pytest.raises(ReleaseError, match=problem) as caught:
        load_release(folder)
    assert (caught.value.folder, caught.value.file) == (folder, "release.toml")


def test_a_folder_without_a_manifest_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match="is missing"):
        load_release(tmp_path)


def test_a_link_is_refused(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (folder / "prompts" / "x.md").symlink_to(tmp_path / "elsewhere.md")
    with pytest.raises(ReleaseError, match="symbolic link"):
        load_release(folder)


def test_a_prompt_that_is_no_text_is_named(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (folder / "prompts" / "x.md").write_bytes(b"a\xff")
    with pytest.raises(ReleaseError, match="is not UTF-8") as caught:
        load_release(folder)
    assert caught.value.file == "prompts/x.md"


def test_bundled_releases_are_found_and_load() -> None:
    assert bundled_releases().keys() >= {"practice", "openai"}
    assert not load_release(find_release("practice")).release.comparable
    assert load_release(find_release("openai")).release.answer.kind == "openai"


def test_a_release_of_ones_own_is_found_beside_the_bundled_ones(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    assert find_release("mine", tmp_path) == folder
    assert find_release("practice", tmp_path) == bundled_releases()["practice"]


def test_a_release_of_ones_own_may_not_hide_a_bundled_one(tmp_path: Path) -> None:
    a_folder(tmp_path, name="practice")
    with pytest.raises(ReleaseError, match="rename the folder"):
        find_release("practice", tmp_path)


def test_an_unknown_release_lists_the_known_ones(tmp_path: Path) -> None:
    a_folder(tmp_path)
    with pytest.raises(UnknownRelease, match="known are mine, openai, practice"):
        find_release("absent", tmp_path)
