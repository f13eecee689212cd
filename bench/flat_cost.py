"""Cost a question as a run grows: nothing may be rewritten at each step, so the curve must be flat."""

import tempfile
from pathlib import Path
from typing import Any

from aml.contracts.benchmark import Gold, Question, Sample, Session, Turn
from aml.ingest.benchmarks import sha256_of
from aml.ingest.benchmarks.practice.bundle_format import encode_practice

from .stack import bench_stack
from .whole_dataset import through_platform

QUESTIONS_A_SAMPLE = 100


def a_sample(number: int) -> Sample:
    """40 turns and 100 questions about numbered boxes."""
    turns = tuple(
        Turn(
            turn_id=f"{number}:{i}",
            role="user" if i % 2 == 0 else "assistant",
            content=f"Box {i} of store {number} holds {i * 7 + number} green pens and a note about shelf {i % 5}.",
            timestamp=1_700_000_000_000 + i * 60_000,
        )
        for i in range(40)
    )
    questions = tuple(
        Question(
            question_id=f"{number}-{i}",
            text=f"How many green pens does box {i % 40} of store {number} hold?",
            question_type="practice_fact_recall",
            category="fact_recall",
            capability="fact_recall",
        )
        for i in range(QUESTIONS_A_SAMPLE)
    )
    gold = tuple(
        Gold(question_id=q.question_id, answers=(str(i % 40 * 7 + number),), evidence=(f"{number}:{i % 40}",))
        for i, q in enumerate(questions)
    )
    return Sample(
        sample_id=f"store-{number}",
        sessions=(Session(session_id="one", turns=turns),),
        questions=questions,
        gold=gold,
    )


def measure(sizes: tuple[int, ...] = (200, 2_000, 20_000)) -> dict[str, Any]:
    curve = []
    with tempfile.TemporaryDirectory() as folder, bench_stack() as stack:
        for size in sizes:
            bundle = Path(folder) / f"{size}"
            bundle.write_bytes(encode_practice([a_sample(n) for n in range(size // QUESTIONS_A_SAMPLE)]))
            sha256 = sha256_of(bundle)
            stack.add_dataset(bundle, sha256)
            dataset = {"name": "boxes", "adapter": "practice", "version": "1", "sha256": sha256}
            result = through_platform(stack, dataset, "practice")
            curve.append(
                {
                    "questions": size,
                    "platform_cpu_ms_per_question": result["platform_cpu_ms_per_question"],
                    "wall_ms_per_question": 1000 * result["wall_s"] / size,
                    "rss_mb": result["rss_mb"],
                }
            )
    return {
        "curve": curve,
        "growth": curve[-1]["platform_cpu_ms_per_question"] / curve[0]["platform_cpu_ms_per_question"],
    }
