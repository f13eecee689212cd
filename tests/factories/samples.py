"""Small benchmark samples that state only what matters."""

from aml.contracts.benchmark import Gold, Question, Sample, Session, Turn


def a_turn(turn_id: str, content: str = "hello", *, role: str = "user", timestamp: int | None = None) -> Turn:
    return Turn(turn_id=turn_id, role=role, content=content, timestamp=timestamp)


def a_question(question_id: str, text: str = "What?", **changes: object) -> Question:
    fields: dict[str, object] = {
        "question_id": question_id,
        "text": text,
        "question_type": "practice_fact_recall",
        "category": "fact_recall",
        "capability": "fact_recall",
    }
    return Question(**(fields | changes))  # type: ignore[arg-type]


def a_sample(sample_id: str = "s1", *, turns: int = 3, questions: int = 2) -> Sample:
    """One session of `turns` turns; question `q<i>` has the answer `a<i>` in the first turn."""
    return Sample(
        sample_id=sample_id,
        sessions=(Session(session_id="one", turns=tuple(a_turn(f"t{i}", f"turn {i}") for i in range(turns))),),
        questions=tuple(a_question(f"{sample_id}-q{i}") for i in range(questions)),
        gold=tuple(
            Gold(question_id=f"{sample_id}-q{i}", answers=(f"a{i}",), evidence=("t0",)) for i in range(questions)
        ),
    )
