"""A release whose judge is as a run's options want it: the base release's files with these settings changed, under its own id.

What can change a score stands in a release, so options of the judge make another one. It is written beside the platform's
other releases, which the services read when they start.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from aml.contracts.release import Release, ScoringRule
from aml.rules.release_digest import MANIFEST, read_manifest
from aml.runtime.release_folder import PROMPTS, load_release, release_files

from .errors import OptionInvalid
from .options import LongMemEvalOptions

QUESTION_TYPE_PREFIX: Final = "longmemeval_"
DECOMPOSITIONS: Final = {"per_predicate_all_must_hold": "all_must_hold", "per_predicate_majority": "majority"}
WHOLE: Final = f"{QUESTION_TYPE_PREFIX}abstention"
"""An abstention is judged as a whole."""

_JSON_REPLY: Final = re.compile(
    r"Reply with one JSON object and nothing else, in this form:\n.*\nwhere \"verdict\" is .*\n"
)
_FREE_REPLY: Final = (
    "You may think it through in a few short sentences. Then close with a line of its own that holds one word and nothing"
    " else: correct or incorrect.\n"
)


class DerivedRelease(Struct, frozen=True, kw_only=True):
    release_id: str
    files: Mapping[str, bytes]
    """By POSIX path within the release's folder."""


def derive_release(base: Path, options: LongMemEvalOptions) -> DerivedRelease | None:
    """None where the options leave the judge as the release has it. Raises `OptionInvalid` for a judge without a model."""
    changed = options.judge_is_set
    if not changed:
        return None
    loaded = load_release(base)
    release = loaded.release
    if release.judge.kind != "openai":
        problem = f"changes a judging model, and the release {release.release_id} judges without one;"
        raise OptionInvalid(changed[0], f"{problem} choose release='toolkit-openai', or leave it out")
    wanted = _wanted(release, options, loaded.digest)
    files = dict(release_files(base))
    files[MANIFEST] = _manifest(files[MANIFEST].decode(), release, wanted)
    if options.judge_verdict_protocol == "free_text":
        for name in {_prompt(rule) for rule in _rules(release).values()}:
            path = f"{PROMPTS}/{name}"
            changed_prompt, places = _JSON_REPLY.subn(_FREE_REPLY, files[path].decode())
            if places != 1:
                raise _underivable(release, f"its prompt {name} does not ask for JSON as ours do")
            files[path] = changed_prompt.encode()
    return DerivedRelease(release_id=wanted.release_id, files=files)


def write_release(derived: DerivedRelease, releases: Path) -> Path:
    """Idempotent: the id follows from the base's bytes and from what was changed. Raises `OSError`."""
    folder = releases / derived.release_id
    for name, content in derived.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def _wanted(release: Release, options: LongMemEvalOptions, digest: str) -> Release:
    judge = release.judge
    if options.max_judge_retries is not None:
        judge = replace(judge, readings=options.max_judge_retries + 1)
    if options.judge_temperature is not None:
        judge = replace(judge, temperature=options.judge_temperature)
    if options.judge_max_output_tokens is not None:
        judge = replace(judge, max_tokens=options.judge_max_output_tokens)
    decompose: Any = DECOMPOSITIONS.get(options.judge_decomposition)
    scoring = {
        name: replace(rule, decompose=decompose) if name in _rules(release) and name != WHOLE else rule
        for name, rule in release.scoring.items()
    }
    settings = {name: getattr(options, name) for name in sorted(options.judge_is_set)}
    settings["base"] = digest
    mark = hashlib.sha256(msgspec.json.encode(settings, order="sorted")).hexdigest()[:12]
    release_id = f"{release.release_id}-lme-{mark}"
    return replace(release, release_id=release_id, judge=judge, scoring=scoring)


def _manifest(text: str, release: Release, wanted: Release) -> bytes:
    """The base's own text with the lines changed that differ, so that its comments stay; read back and compared."""
    text = _set(text, None, "release_id", wanted.release_id)
    for name in ("temperature", "max_tokens", "readings"):
        if getattr(wanted.judge, name) != getattr(release.judge, name):
            text = _set(text, "judge", name, getattr(wanted.judge, name))
    for question_type, rule in wanted.scoring.items():
        if rule.decompose is not None:
            pattern = rf"^({re.escape(question_type)} = \{{.*?) \}}$"
            text = re.sub(pattern, rf'\1, decompose = "{rule.decompose}" }}', text, flags=re.MULTILINE)
    data = text.encode()
    if read_manifest(data) != wanted:
        raise _underivable(release, f"its {MANIFEST} is laid out otherwise than ours")
    return data


def _set(text: str, table: str | None, name: str, value: object) -> str:
    """One key of one table, replaced or added at the table's head."""
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    start = 0 if table is None else text.index(f"\n[{table}]\n") + len(table) + 4
    end = text.find("\n[", start)
    head, body, tail = text[:start], text[start : end if end >= 0 else None], text[end:] if end >= 0 else ""
    changed, count = re.subn(rf"^{name} = .*$", f"{name} = {shown}", body, count=1, flags=re.MULTILINE)
    return head + (changed if count else f"{name} = {shown}\n{body}") + tail


def _rules(release: Release) -> dict[str, ScoringRule]:
    return {name: rule for name, rule in release.scoring.items() if name.startswith(QUESTION_TYPE_PREFIX)}


def _prompt(rule: ScoringRule) -> str:
    return rule.judge_prompt or ""


def _underivable(release: Release, problem: str) -> OptionInvalid:
    advice = "make these settings in a release of your own"
    return OptionInvalid("release", f"{release.release_id} cannot be changed by options, since {problem}; {advice}")
