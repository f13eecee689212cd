"""The dataset's file: which questions it has, and the bundle of those that a run asks. One question in memory at a time.

The file is 277 MB and most of a run asks a tenth of it, so that it is read twice: once to choose, once to write what was chosen.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from aml.contracts.benchmark import Sample
from aml.ingest.benchmarks import BundleError, sha256_of
from aml.ingest.benchmarks.longmemeval import read_with_answer_sessions
from aml.ingest.benchmarks.practice.bundle_format import FORMAT, Header

from .dates_in_text import DateWatch, GroundingReport
from .options import LongMemEvalOptions
from .oracle import OracleOptions, OracleReport, project, together
from .predicates import with_predicates
from .sampling import Entry, Selection


class Catalogue(Struct, frozen=True, kw_only=True):
    entries: tuple[Entry, ...]
    """In the file's order."""
    sha256: str | None
    """None where it was not asked for."""


class QuestionKey(Struct, frozen=True, kw_only=True):
    """What a result says of a question and the platform does not."""

    entry: Entry
    text: str
    reference: str
    """Empty for an abstention question, whose right answer is that it cannot be answered."""
    asked_at: int
    """Unix milliseconds, in the dataset's own time."""
    answer_sessions: tuple[str, ...]
    sessions: int


class WrittenSample(Struct, frozen=True, kw_only=True):
    path: Path
    sha256: str
    keys: Mapping[str, QuestionKey]
    """By question id, in the file's order."""
    grounding: GroundingReport
    oracle: OracleReport | None


def read_catalogue(path: Path, *, hashed: bool) -> Catalogue:
    """Raises `BundleError` for a file that is not as the dataset's source publishes it."""
    entries = tuple(_entry(sample) for sample, _ in read_with_answer_sessions(path))
    seen: set[str] = set()
    for entry in entries:
        if entry.question_id in seen:
            raise BundleError(path, f"question {entry.question_id}", "question_id", "is used twice in the file")
        seen.add(entry.question_id)
    if not entries:
        raise BundleError(path, None, None, "holds no questions")
    return Catalogue(entries=entries, sha256=sha256_of(path) if hashed else None)


def write_sample(
    dataset: Path,
    folder: Path,
    selection: Selection,
    options: LongMemEvalOptions,
    *,
    oracle: OracleOptions | None = None,
) -> WrittenSample:
    """The selected questions in the platform's own format, in `folder` under the file's hash. Raises `BundleError`, `OSError`."""
    draft = folder / f".longmemeval-{os.getpid()}-{secrets.token_hex(6)}"
    digest = hashlib.sha256()
    keys: dict[str, QuestionKey] = {}
    watch = DateWatch()
    reports = OracleReport()
    wanted = {entry.question_id: entry for entry in selection.questions}
    try:
        with draft.open("wb") as file:

            def put(line: Struct) -> None:
                data = msgspec.json.encode(line) + b"\n"
                file.write(data)
                digest.update(data)

            put(Header(format=FORMAT, samples=len(wanted)))
            for source, answering in _chosen(dataset, wanted):
                sample, report = _as_asked(source, answering, options, oracle)
                reports = together(reports, report)
                watch.see(sample)
                keys[sample.sample_id] = _key(wanted[sample.sample_id], sample, answering)
                put(sample)
        place = folder / digest.hexdigest()
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)
    return WrittenSample(
        path=place,
        sha256=digest.hexdigest(),
        keys=keys,
        grounding=watch.report(options.temporal_grounding),
        oracle=None if oracle is None else reports,
    )


def _as_asked(
    sample: Sample, answering: frozenset[str], options: LongMemEvalOptions, oracle: OracleOptions | None
) -> tuple[Sample, OracleReport]:
    report = OracleReport()
    if oracle is not None:
        sample, report = project(sample, answering, oracle, options.random_seed)
    if options.judge_decomposition != "none":
        sample = replace(sample, gold=tuple(map(with_predicates, sample.gold)))
    return sample, report


def _chosen(dataset: Path, wanted: Mapping[str, Entry]) -> Iterator[tuple[Sample, frozenset[str]]]:
    """Reads no further than to the last of them."""
    return islice(read_with_answer_sessions(dataset, wanted), len(wanted))


def _entry(sample: Sample) -> Entry:
    question = sample.questions[0]
    return Entry(
        question_id=question.question_id,
        question_type=question.category.replace("_", "-"),
        abstention=sample.gold[0].abstention,
    )


def _key(entry: Entry, sample: Sample, answering: frozenset[str]) -> QuestionKey:
    question, gold = sample.questions[0], sample.gold[0]
    return QuestionKey(
        entry=entry,
        text=question.text,
        reference=gold.answers[0] if gold.answers else "",
        asked_at=question.asked_at or 0,
        answer_sessions=tuple(each.session_id for each in sample.sessions if each.session_id in answering),
        sessions=len(sample.sessions),
    )
