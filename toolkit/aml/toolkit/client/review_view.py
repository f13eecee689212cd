"""The review queue and a review's file, as lines and tables."""

from collections.abc import Iterator

from rich.console import Console

from aml.gateway.donations.views import Proposal, Proposals
from aml.gateway.review.views import Attestations, ReviewFile, Reviews
from aml.toolkit.evaluation.outcome_table import bounds, score
from aml.toolkit.evaluation.result_shown import percent, percents
from aml.toolkit.shown_text import shown

from .listing import moment, print_table


def print_reviews(console: Console, reviews: Reviews) -> None:
    print_table(
        console,
        ("job", "system", "version", "track", "division", "score", "95 % interval", "decision", "requested"),
        (
            (
                each.job_id,
                each.system,
                each.version,
                each.track,
                each.division,
                score(percent(each.results.result.overall)),
                bounds(percents(each.results.result.interval)),
                each.decision,
                each.requested_at,
            )
            for each in reviews.reviews
        ),
        empty="nothing waits",
    )


def review_lines(file: ReviewFile) -> Iterator[str]:
    item = file.item
    yield f"job {item.job_id}: {shown(item.system)} {shown(item.version)}, {item.track}, {item.division}, {item.origin}"
    result = item.results.result
    yield f"Overall {score(percent(result.overall))} ({bounds(percents(result.interval))}), gate {item.results.gate}"
    for check in item.results.checks:
        mark = "ok" if check.passed else "FAILED"
        yield f"  {check.name:<24} {mark:<7} {check.code}: {shown(check.found, 100)}"
    if (application := file.application) is not None:
        yield f"organisation: {shown(application.organisation)}; repository: {shown(application.disclosure.repository)}"
        yield f"commit: {shown(application.disclosure.commit)}; works: {shown(application.disclosure.original_works)}"
    yield f"disclosed {moment(file.mine.disclosed_at)}, log entry {_entry(file.mine.log_index)}"
    if file.fair_play is None:
        yield "fair play: the evidence cannot be read now"
    else:
        yield f"fair play: {file.fair_play.total:,} questions with something flagged"
        for question in file.fair_play.questions:
            kinds = ", ".join(f"{flag.kind} {flag.items}" for flag in question.flags)
            yield f"  {question.unit}: {kinds} of {question.returned:,} returned"
        for probe in file.fair_play.probes:
            if probe.outcome != "kept":
                yield f"  isolation {probe.unit}: {probe.outcome}"
    for copy in file.duplicates:
        whose = "the same key" if copy.same_key else "another key"
        yield f"same {', '.join(copy.matches)}: {shown(copy.system)} {shown(copy.version)} of {whose}; first: {copy.first}"
    for like in file.similar:
        mark = " DUPLICATE" if like.duplicate else ""
        yield f"alike {like.likeness / 10_000:.1f} %{mark}: {like.job_id} {shown(like.system)}; first: {like.first}"
    for note in file.notes:
        yield f"note {note.number} ({note.author}, {moment(note.written_at)}): {shown(note.text, 1000)}"
    for made in file.decisions:
        yield f"decision {made.number} ({made.reviewer}, {moment(made.decided_at)}): {made.decision}: {shown(made.reason, 1000)}"
    yield (
        "this is your own system; another reviewer decides"
        if file.own_system
        else f"possible: {', '.join(file.possible)}"
    )


def print_proposals(console: Console, proposals: Proposals) -> None:
    print_table(
        console,
        ("proposal", "state", "title", "organisation", "track", "license", "bytes", "came"),
        (
            (
                each.proposal_id,
                each.state,
                each.title,
                each.organisation,
                each.track,
                each.license,
                each.package_bytes,
                each.created_at,
            )
            for each in proposals.proposals
        ),
        empty="no proposal",
    )


def proposal_lines(proposal: Proposal) -> Iterator[str]:
    offered = proposal.proposal
    yield f"proposal {proposal.proposal_id}: {shown(offered.title)}, {proposal.state}, {moment(proposal.created_at)}"
    yield f"from {shown(offered.contact)} ({shown(offered.email)}), {shown(offered.organisation)}"
    yield f"track {offered.track}, license {shown(offered.license)}"
    yield f"measures: {shown(offered.measures, 1000)}"
    yield f"scale: {shown(offered.scale, 1000)}"
    for source in offered.provenance:
        yield f"source: {shown(source)}"
    if (package := proposal.package) is None:
        yield "no package yet"
    else:
        yield f"package {shown(package.name)}: {package.bytes:,} bytes, SHA-256 {package.sha256}"
    for made in proposal.decisions:
        yield f"decision {made.number} ({made.reviewer}, {moment(made.decided_at)}): {made.decision}: {shown(made.reason, 1000)}"


def print_attestations(console: Console, attestations: Attestations) -> None:
    print_table(
        console,
        ("job", "system", "organisation", "state", "ended", "due", "attested"),
        (
            (each.job_id, each.system, each.organisation, each.state, each.ended_at, each.due_at, each.attested_at)
            for each in attestations.attestations
        ),
        empty="no job owes a deletion",
    )


def _entry(index: int | None) -> str:
    return "not there yet" if index is None else f"{index:,}"
