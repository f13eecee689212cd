"""A dataset file before anything starts: is it the pinned one, is all of it usable, and how much is in it."""

import hashlib
from pathlib import Path

from aml.contracts.benchmark import BundleCounts, Question, Sample
from aml.contracts.vocabulary import Capability

from .adapter import read_samples
from .errors import BundleDigestMismatch, BundleError
from .json_records import open_bundle
from .nesting import require_shallow


def sha256_of(path: Path) -> str:
    """Lower-case hex of the file's bytes, read in blocks. Raises `BundleError` where it cannot be read."""
    with open_bundle(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify_bundle(path: Path, expected_sha256: str) -> None:
    """Raises `BundleDigestMismatch` unless the file is the pinned one."""
    found = sha256_of(path)
    if found != expected_sha256:
        raise BundleDigestMismatch(path, expected_sha256, found)


def survey(adapter: str, path: Path, *, seen: list[Sample] | None = None) -> BundleCounts:
    """Counts the bundle in one full pass and validates every record of it. Every sample is put into `seen`, where there is one.

    Raises `BundleError` for a field that is missing or of a wrong type, a truncated file, an id that is used twice, a gold
    that belongs to no question, evidence that names no turn, a category with two capabilities, or a file without samples or
    questions.
    """
    with open_bundle(path) as file:
        require_shallow(path, file)
    samples = sessions = turns = 0
    categories: dict[str, int] = {}
    sample_ids: set[str] = set()
    question_ids: set[str] = set()
    reported: dict[str, tuple[Capability, bool]] = {}
    for sample in read_samples(adapter, path):
        if seen is not None:
            seen.append(sample)
        samples += 1
        sessions += len(sample.sessions)
        turns += sum(len(session.turns) for session in sample.sessions)
        _check_sample(path, sample, sample_ids, question_ids)
        for question in sample.questions:
            _check_category(path, question, reported)
            categories[question.category] = categories.get(question.category, 0) + 1
    if not question_ids:
        raise BundleError(path, None, None, "holds no questions" if samples else "holds no samples")
    return BundleCounts(
        samples=samples, sessions=sessions, turns=turns, questions=len(question_ids), categories=categories
    )


def _check_sample(path: Path, sample: Sample, sample_ids: set[str], question_ids: set[str]) -> None:
    record = f"sample {sample.sample_id}"
    if not sample.sample_id:
        raise BundleError(path, record, "sample_id", "is empty")
    if sample.sample_id in sample_ids:
        raise BundleError(path, record, "sample_id", "is used twice in the file")
    sample_ids.add(sample.sample_id)
    turn_ids = _check_turns(path, record, sample)
    if len(sample.questions) != len(sample.gold):
        raise BundleError(path, record, "gold", f"{len(sample.gold)} for {len(sample.questions)} questions")
    for question, gold in zip(sample.questions, sample.gold, strict=True):
        place = f"{record}, question {question.question_id}"
        if not question.question_id or not question.text.strip():
            raise BundleError(path, place, "question_id" if not question.question_id else "question", "is empty")
        if question.question_id in question_ids:
            raise BundleError(path, place, "question_id", "is used twice in the file")
        question_ids.add(question.question_id)
        if gold.question_id != question.question_id:
            raise BundleError(path, place, "gold", f"belongs to question {gold.question_id}")
        if not gold.answers and not gold.abstention and not gold.rubric:
            raise BundleError(path, place, "answer", "is empty")
        if unknown := [turn_id for turn_id in gold.evidence if turn_id not in turn_ids]:
            raise BundleError(path, place, "evidence", f"{unknown[0]!r} names no turn of the sample")


def _check_category(path: Path, question: Question, reported: dict[str, tuple[Capability, bool]]) -> None:
    """A category is one row of the result, so it has one capability and is either in Overall or not."""
    row = (question.capability, question.in_overall)
    if reported.setdefault(question.category, row) != row:
        place = f"question {question.question_id}"
        problem = f"category {question.category!r} has another capability or share in Overall before"
        raise BundleError(path, place, "category", problem)


def _check_turns(path: Path, record: str, sample: Sample) -> set[str]:
    session_ids: set[str] = set()
    turn_ids: set[str] = set()
    for session in sample.sessions:
        if session.session_id in session_ids:
            raise BundleError(path, record, "session_id", f"{session.session_id!r} is used twice in the sample")
        session_ids.add(session.session_id)
        for turn in session.turns:
            if turn.turn_id in turn_ids:
                raise BundleError(path, record, "turn_id", f"{turn.turn_id!r} is used twice in the sample")
            turn_ids.add(turn.turn_id)
    if not turn_ids:
        raise BundleError(path, record, "sessions", "hold no turns")
    return turn_ids
