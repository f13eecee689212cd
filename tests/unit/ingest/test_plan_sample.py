from msgspec import UNSET, structs
from tests.factories.samples import a_sample, a_turn

from aml.contracts.benchmark import Session
from aml.contracts.release import Chunking
from aml.ingest.plan_sample import plan_sample
from aml.rules.identity import unit_of

EVERYTHING = frozenset({"s1-q0", "s1-q1"})


def plan(sample, chosen=EVERYTHING):
    return plan_sample(sample, job_id="job1", dataset="practice", chosen=chosen, chunking=Chunking())


def test_ids_follow_the_contract():
    planned = plan(a_sample(turns=21))

    first, second = (chunk.request for chunk in planned.chunks.chunks)
    assert planned.user_id == "eval:job1:practice:s1"
    assert (first.request_id, second.request_id) == (
        "eval:job1:practice:s1:chunk-0",
        "eval:job1:practice:s1:chunk-1",
    )
    assert first.user_id == second.user_id == planned.user_id
    assert first.session_id == second.session_id == "eval:job1:s1:one"
    assert (len(first.messages), len(second.messages)) == (20, 1)


def test_chunk_numbers_run_through_all_sessions():
    sample = structs.replace(
        a_sample(),
        sessions=(
            Session(session_id="one", turns=(a_turn("t0"),)),
            Session(session_id="two", turns=(a_turn("t1"),)),
        ),
    )

    requests = [chunk.request for chunk in plan(sample).chunks.chunks]

    assert [request.request_id.rpartition(":")[2] for request in requests] == ["chunk-0", "chunk-1"]
    assert [request.session_id for request in requests] == ["eval:job1:s1:one", "eval:job1:s1:two"]


def test_timestamps_are_the_datasets_or_absent():
    sample = structs.replace(
        a_sample(),
        sessions=(Session(session_id="one", turns=(a_turn("t0", timestamp=5), a_turn("t1"))),),
    )

    messages = plan(sample).chunks.chunks[0].request.messages

    assert [message.timestamp for message in messages] == [5, UNSET]


def test_blank_turns_are_not_sent_and_keep_nobody_elses_place():
    sample = structs.replace(
        a_sample(), sessions=(Session(session_id="one", turns=(a_turn("t0", " \n"), a_turn("t1", "kept"))),)
    )

    (chunk,) = plan(sample).chunks.chunks

    assert chunk.turn_ids == ("t1",)
    assert [message.content for message in chunk.request.messages] == ["kept"]


def test_questions_and_gold_stay_side_by_side_after_sampling():
    planned = plan(a_sample(), chosen=frozenset({"s1-q1"}))

    assert [question.question_id for question in planned.questions.questions] == ["s1-q1"]
    assert planned.questions.units == (unit_of("practice", "s1", "s1-q1"),)
    assert planned.gold.gold[0].answers == ("a1",)
    assert planned.gold.evidence_texts == (("turn 0",),)


def test_a_sample_without_a_chosen_question_is_left_out():
    assert plan(a_sample(), chosen=frozenset()) is None


def test_nothing_of_the_gold_is_in_what_a_participant_gets():
    sample = a_sample()
    sample = structs.replace(
        sample, gold=tuple(structs.replace(gold, answers=("CANARY-GOLD",)) for gold in sample.gold)
    )

    planned = plan(sample)

    assert "CANARY-GOLD" not in repr(planned.chunks)
    assert "CANARY-GOLD" not in repr(planned.questions)
