"""Rendered boards out of invented results."""

from collections.abc import Sequence

from aml.contracts.seals import GatePassed, JobResult
from aml.publisher.collect_board import BoardDraft, Candidate, basis_of, board_id_of, board_of, in_board_order
from aml.publisher.shown_board import ShownBoard
from aml.publisher.verify_row import accept_checkpoint, judge_row

from .results import SignedLog, a_gate, a_result, a_review

MINUTE = 60_000


def a_shown_board(
    gates: Sequence[GatePassed], *, title: str = "Practice", comparable: bool = False, log: SignedLog | None = None
) -> ShownBoard:
    """Every gate is approved, one minute after the other, and proven by `log` (invented unless given)."""
    log = log if log is not None else SignedLog()
    indices = [log.append(gate) for gate in gates]
    first = gates[0].subject if gates else a_gate().subject
    draft = BoardDraft(
        board_id=board_id_of(first.track, first.release_id, first.release_digest),
        track=first.track,
        release_id=first.release_id,
        release_digest=first.release_digest,
        candidates=in_board_order(
            Candidate(gate=gate, review=a_review(gate, at=gate.at + place * MINUTE)) for place, gate in enumerate(gates)
        ),
    )
    signed = accept_checkpoint(log.checkpoint(), log.key)
    rows = {
        gate.job_id: judge_row(signed, gate, log.entries[index], log.proof(index, signed.size))
        for gate, index in zip(gates, indices, strict=True)
    }
    return ShownBoard(
        board_id=draft.board_id,
        title=title,
        basis=basis_of(draft.candidates, comparable=comparable),
        board=board_of(
            draft,
            {job_id: row.position for job_id, row in rows.items()},
            version=3,
            comparable=comparable,
            checkpoint=signed.note,
        ),
        entries={job_id: row.entry for job_id, row in rows.items()},
    )


def some_systems() -> list[GatePassed]:
    """A believable field: nine participants in two divisions, two of them with the same score, and the three arms."""
    rows = (
        ("Anamnesis", "2.4.1", "open_source", 784_000, 71_000, 0.97),
        ("Palimpsest", "0.9.0", "open_source", 761_000, 420_000, 1.04),
        ("fts5-notes", "1.3.0", "open_source", 702_000, 6_400, 0.93),
        ("bm25s-recall", "0.3.2", "open_source", 702_000, 9_800, 1.01),
        ("Threadkeeper (graph)", "3.0.0-rc2", "open_source", 668_000, 1_830_000, 1.09),
        ("Mnemosyne Cloud", "2026-02", "commercial", 801_000, 240_000, 0.98),
        ("Evergreen Memory", "7.2", "commercial", 743_000, 96_000, 1.02),
        ("Ledgerly", "1.0", "commercial", 655_000, 151_000, 0.95),
    )
    gates = [
        a_gate(
            f"j{place:02d}",
            system=system,
            version=version,
            division=division,  # type: ignore[arg-type]
            result=_two_datasets(score, p95, tilt, place),
            allow_private=system == "fts5-notes",
        )
        for place, (system, version, division, score, p95, tilt) in enumerate(rows)
    ]
    for arm, score in (("oracle", 912_000), ("full_context", 735_000), ("no_memory", 118_000)):
        gates.append(
            a_gate(
                f"arm-{arm}",
                system={"oracle": "Oracle", "full_context": "Full context", "no_memory": "No memory"}[arm],
                version="practice",
                division="baseline",
                arm=arm,  # type: ignore[arg-type]
                result=_two_datasets(score, None, 1.0, 0),
            )
        )
    return gates


def _two_datasets(score: int, p95: int | None, tilt: float, place: int) -> JobResult:
    first = min(990_000, int(score * tilt))
    return a_result(
        score,
        datasets={"locomo": first, "longmemeval": 2 * score - first},
        p95=p95,
        planned=500,
        margin=29_000,
        context_tokens=900_000 + 130_000 * place,
    )
