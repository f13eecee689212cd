"""Each rule of the format, broken by one change to a scenario that keeps all of them."""

from pathlib import Path

import pytest

from aml.toolkit.suites.library import Source, decode_scenarios, read_folder
from aml.toolkit.suites.validate import validate

GOOD = """
category = "basic_retention"
language = "en"
[[scenarios]]
id = "kiln-shelf"
difficulty = "easy"
asked = 2025-05-02
sessions = [
  { on = 2025-03-04, talk = '''
U[shelf]: My tests are on shelf 9.
A: Noted.
~1
''' },
  { on = 2025-03-05, talk = '''
U: Good night.
''' },
]
noise = ['''
U: Bruno has shelf 6.
''']
[[scenarios.questions]]
ask = "Where are my tests?"
judge = "standard"
answer = "On shelf 9."
facts = [{ any = ["shelf 9"], importance = 90 }]
forbidden = [["shelf 6"]]
evidence = ["shelf"]
[[scenarios.questions]]
ask = "Who made the kiln?"
judge = "abstention"
answer = "I don't know."
absent = ["Hephaistos"]
"""


def a_source(before: str = "", after: str = "", text: str = GOOD) -> Source:
    assert before in text
    return Source(name="mine.toml", file=decode_scenarios("mine.toml", text.replace(before, after, 1).encode()))


def problems(before: str, after: str, text: str = GOOD) -> list[str]:
    return [str(problem) for problem in validate([a_source(before, after, text)])]


def test_a_good_file_has_no_problem() -> None:
    assert problems("", "") == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("on = 2025-03-04", "on = 2025-03-06", "sessions: are not in the order of their days"),
        ("asked = 2025-05-02", "asked = 2025-03-01", "asked: is before the last session, which is on 2025-03-05"),
        ("A: Noted.", "Noted.", "talk: line 2 is neither"),
        ("~1\n", "", "noise: has no place to go"),
        ("U: Bruno", "~2\nU: Bruno", "noise: holds a hook"),
        ("U: Bruno", "U[b]: Bruno", "noise: has a label"),
        ("U: Good night.", "~0", "sessions[1].talk: holds neither a turn nor small talk"),
        ("U: Good night.", "U[shelf]: Good night.", "talk: the label 'shelf' is used 2 times"),
        ('evidence = ["shelf"]', 'evidence = ["self"]', "questions[0].evidence: no turn has the label 'self'"),
        ('[["shelf 6"]]', '[["on shelf"]]', "questions[0].forbidden: the reference answer says 'on shelf' itself"),
        ('evidence = ["shelf"]', "", "questions[0].evidence: is missing"),
        ('facts = [{ any = ["shelf 9"], importance = 90 }]', "", "questions[0].facts: are missing"),
        (
            'evidence = ["shelf"]',
            'evidence = ["shelf"]\nabsent = ["x"]',
            "questions[0].absent: is for abstentions only",
        ),
        ('"On shelf 9."', '"On the ninth."', "questions[0].facts[0]: the reference answer does not say 'shelf 9'"),
        ("on shelf 9.", "up there.", "questions[0].facts[0]: no evidence turn says 'shelf 9'"),
        ('[["shelf 6"]]', '[["shelf 9"]]', "questions[0].facts[0]: 'shelf 9' is required and forbidden"),
        ('absent = ["Hephaistos"]', "", "questions[1].absent: is missing"),
        ('["Hephaistos"]', '["Bruno"]', "questions[1].absent: 'Bruno' stands in the turn 'Bruno has shelf 6.'"),
        (
            'judge = "abstention"',
            'judge = "abstention"\nevidence = ["shelf"]',
            "questions[1].evidence: does not go with",
        ),
        ("Who made the kiln?", "Where are my tests?", "questions[0].ask: the same question is asked twice in the file"),
    ],
)
def test_a_broken_rule_is_named_with_file_scenario_and_field(before: str, after: str, said: str) -> None:
    found = problems(before, after)
    assert any(problem.startswith(f"mine.toml, kiln-shelf, {said}") for problem in found), found


def test_an_inferred_fact_need_not_stand_in_the_evidence() -> None:
    inferred = GOOD.replace("importance = 90", "importance = 90, inferred = true")
    assert problems("on shelf 9.", "up there.", inferred) == []


def test_an_id_that_is_used_twice() -> None:
    twice = GOOD + GOOD[GOOD.index("[[scenarios]]") :].replace("Where are", "Where on earth are").replace(
        "Who", "Which"
    )
    assert "mine.toml, kiln-shelf, id: is used 2 times in the file" in problems("", "", twice)


SECOND_SESSION = "~1\n''' },\n  { on = 2025-03-05, talk = '''\nU: Good night.\n"
REACH_BACK = GOOD.replace("basic_retention", "reach_back").replace(SECOND_SESSION, "")


def test_reach_back_ends_with_its_evidence_and_needs_no_hook_for_noise() -> None:
    assert problems("", "", REACH_BACK) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("A: Noted.\n", "A: Noted.\n~2\n", "sessions: end with a hook"),
        ("A: Noted.\n", "A: Noted.\nU: And good night.\n", "questions[0].evidence: is not in the last exchange"),
    ],
)
def test_reach_back_s_own_rules(before: str, after: str, said: str) -> None:
    assert any(said in problem for problem in problems(before, after, REACH_BACK))


def test_a_folder_is_read_with_its_sub_folders(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "one.toml").write_text(GOOD, "utf-8")
    (tmp_path / "two.toml").write_text(GOOD.replace('"en"', '"zh"'), "utf-8")
    assert [source.name for source in read_folder(tmp_path)] == ["en/one.toml", "two.toml"]


def test_an_id_is_used_once_a_category_and_language_whatever_the_file() -> None:
    one = a_source()
    two = Source(name="other.toml", file=one.file)
    chinese = a_source('language = "en"', 'language = "zh"')

    found = [str(each) for each in validate([one, two])]

    assert found == ["other.toml, kiln-shelf, id: is used in mine.toml too, for the same category and language"]
    assert not [each for each in validate([one, chinese]) if each.field == "id"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("on = 2025-03-04", "on = 0001-01-01", "sessions: begin before 1971-01-01"),
        ('"Where are my tests?"', '"  "', "questions[0].ask: is blank"),
        ('"Where are my tests?"', '"a\\u0000b"', "questions[0].ask: holds a NUL"),
        ("asked = 2025-05-02", "asked = 9999-12-31", "asked: is after 9998-12-31"),
    ],
)
def test_what_the_platform_could_not_carry(before: str, after: str, said: str) -> None:
    assert any(said in problem for problem in problems(before, after))
