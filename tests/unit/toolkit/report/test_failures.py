"""Which questions a reader gets to see, in which order, and with which answers beside each other."""

from tests.factories.suite_results import a_question, a_result

from aml.toolkit.baselines.baseline import baseline_of
from aml.toolkit.report.differences import differences
from aml.toolkit.report.failures import FailedQuestion, failed_questions, outcome_of
from aml.toolkit.report.series import series_of
from aml.toolkit.results import EvidenceSession, SuiteResult


def shown(*results: SuiteResult) -> tuple[FailedQuestion, ...]:
    return failed_questions(results, series_of(results, ()), ())


def test_outcomes_follow_the_score() -> None:
    assert outcome_of(a_question(score=None)) == "unscored"
    assert outcome_of(a_question(score=0)) == "failed"
    assert outcome_of(a_question(score=69.9)) == "failed"
    assert outcome_of(a_question(score=70)) == "partly"
    assert outcome_of(a_question(score=100)) == "right"
    assert outcome_of(a_question(score=100, forbidden=("shelf 6",))) == "partly"


def test_what_was_answered_fully_right_is_not_listed() -> None:
    assert shown(a_result([a_question(number=1), a_question(number=2)])) == ()


def test_categories_keep_their_order_and_the_worst_comes_first() -> None:
    result = a_result(
        [
            a_question("reach_back", 50, number=1, depth=5),
            a_question("abstention", 40, number=2),
            a_question("reach_back", 0, number=3, depth=5),
            a_question("reach_back", None, number=4, depth=5),
        ]
    )

    assert [each.question_id for each in shown(result)] == [
        "reach_back-4",
        "reach_back-3",
        "reach_back-1",
        "abstention-2",
    ]


def test_a_question_that_one_run_failed_shows_the_other_runs_answer_too() -> None:
    bad, good = a_result([a_question(score=0, answer="No idea.")]), a_result([a_question(score=100)])

    (question,) = shown(bad, good)

    assert [(answer.run.place, answer.outcome) for answer in question.answers] == [(0, "failed"), (1, "right")]
    assert question.outcomes == ("failed", "right")
    assert question.failed_runs == (0,)


def test_the_same_id_of_another_dataset_is_another_question() -> None:
    one, two = a_result([a_question(score=0)]), a_result([a_question(score=0, text="Something else?")])
    assert len(shown(one, two)) == 2


def test_repeats_that_ended_alike_are_one_answer() -> None:
    questions = [a_question(score=score, repeat=repeat) for repeat, score in enumerate((0, 100, 0))]

    (question,) = shown(a_result(questions))

    assert [(answer.repeats, answer.outcome) for answer in question.answers] == [((1, 3), "failed"), ((2,), "right")]


def test_a_run_without_repeats_says_nothing_of_them() -> None:
    (question,) = shown(a_result([a_question(score=0)]))
    assert question.answers[0].repeats == ()


def test_long_answers_share_the_room_that_there_is() -> None:
    questions = [a_question(score=0, number=number, answer="x" * 1_000_000) for number in range(200)]

    lengths = {len(each.answers[0].text.text) for each in shown(a_result(questions)) if each.answers[0].text}

    assert lengths == {600}


def test_an_empty_answer_is_not_the_same_as_none() -> None:
    empty, none = shown(
        a_result([a_question(score=0, answer="", number=1), a_question(score=0, answer=None, number=2)])
    )

    assert empty.answers[0].text is not None
    assert none.answers[0].text is None


def test_an_unscored_answer_says_where_and_why() -> None:
    (question,) = shown(a_result([a_question(score=None)]))

    answer = question.answers[0]
    assert (answer.stage, answer.code, answer.detail.text) == ("answer", "model", "it was away")


def test_evidence_beyond_four_sessions_is_counted() -> None:
    sessions = tuple(EvidenceSession(session_id=f"s{n}", on=None, excerpt="words") for n in range(6))

    (question,) = shown(a_result([a_question(score=0, evidence=sessions)]))

    assert len(question.sessions) == 4
    assert question.more_sessions == 2


def test_a_fall_since_a_baseline_is_marked() -> None:
    now = a_result([a_question(score=0, number=1), a_question(score=90, number=2)])
    baseline = baseline_of(a_result([a_question(score=100, number=1), a_question(score=100, number=2)]), "last week")
    series = series_of([now], [baseline])

    fell = {
        each.question_id: each.fell_since
        for each in failed_questions([now], series, differences([now], [baseline], series))
    }

    assert fell == {"basic_retention-1": ("last week",), "basic_retention-2": ()}
