"""Whom a reader trusts to have watched the log: https://c2sp.org/tlog-policy, a text file of logs, witnesses and a quorum."""

from collections.abc import Mapping, Set
from typing import Final

from msgspec import Struct

from .checkpoint import Checkpoint, NoteInvalid, VerifierKey, open_checkpoint, parse_note, parse_verifier_key
from .cosignature import CosignatureInvalid, WitnessKey, cosigned_at, is_of, parse_witness_key

NO_QUORUM: Final = "none"
CLOCK_SKEW_S: Final = 300
"""How far a witness's clock may be ahead of the reader's."""


class PolicyInvalid(Exception):
    """A policy file is malformed. `line` counts from 1; None where a line is missing."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem if line is None else f"line {line}: {problem}")
        self.problem = problem
        self.line = line


class QuorumMissing(Exception):
    """The checkpoint is the log's, but not enough witnesses of the policy vouch for it."""

    def __init__(self, quorum: str, cosigned: tuple[str, ...], problems: tuple[str, ...]) -> None:
        found = f"cosigned by {', '.join(cosigned)}" if cosigned else "cosigned by no witness of the policy"
        super().__init__("; ".join((f"the quorum {quorum} is not met: {found}", *problems)))
        self.quorum = quorum
        self.cosigned = cosigned
        self.problems = problems


class PolicyLog(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    key: VerifierKey
    url: str | None = None


class Witness(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    """Within the policy."""
    key: WitnessKey
    url: str | None = None
    """The submission prefix of its tlog-witness interface."""


class Group(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    threshold: int
    members: tuple[str, ...]


class WitnessPolicy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    logs: tuple[PolicyLog, ...]
    witnesses: tuple[Witness, ...]
    groups: Mapping[str, Group]
    quorum: str
    """A witness, a group, or `none`."""

    def is_met(self, cosigned: Set[str]) -> bool:
        """Whether these witnesses, by their names in the policy, are enough."""
        return self.quorum == NO_QUORUM or self._vouches(self.quorum, cosigned)

    def _vouches(self, name: str, cosigned: Set[str]) -> bool:
        group = self.groups.get(name)
        if group is None:
            return name in cosigned
        return sum(self._vouches(member, cosigned) for member in group.members) >= group.threshold


def open_cosigned(note: str, policy: WitnessPolicy, *, now_s: int | None) -> Checkpoint:
    """The checkpoint in a note that one of the policy's logs signed and its quorum cosigned.

    Raises `NoteInvalid` and what `require_quorum` does.
    """
    problem = "the policy names no log"
    for log in policy.logs:
        try:
            checkpoint = open_checkpoint(note, log.key)
        except NoteInvalid as error:
            problem = error.problem
        else:
            require_quorum(note, policy, now_s=now_s)
            return checkpoint
    raise NoteInvalid(problem)


def require_quorum(note: str, policy: WitnessPolicy, *, now_s: int | None) -> tuple[str, ...]:
    """The witnesses that cosigned. `now_s` is the reader's time, None where it has none (then no time is too late).

    A line under a witness's name that is wrong or from the future does not count, and is named when the quorum fails.
    Raises `NoteInvalid`, `QuorumMissing`.
    """
    parsed = parse_note(note)
    problems: list[str] = []
    cosigned: list[str] = []
    for witness in policy.witnesses:
        for signature in parsed.signatures:
            if not is_of(signature, witness.key):
                continue
            try:
                time_s = cosigned_at(parsed.text, signature, witness.key)
            except CosignatureInvalid as error:
                problems.append(str(error))
                continue
            if now_s is not None and time_s > now_s + CLOCK_SKEW_S:
                problems.append(f"the cosignature of {witness.key.name} is {time_s - now_s} s in the future")
            elif witness.name not in cosigned:
                cosigned.append(witness.name)
    if not policy.is_met(set(cosigned)):
        raise QuorumMissing(policy.quorum, tuple(cosigned), tuple(problems))
    return tuple(cosigned)


def parse_policy(text: str) -> WitnessPolicy:
    """Raises `PolicyInvalid`, which names the line."""
    reader = _PolicyReader()
    for number, line in enumerate(text.split("\n"), 1):
        if any((char < " " and char != "\t") or char == "\x7f" for char in line):
            raise PolicyInvalid("holds a control character", number)
        words = [word for word in line.replace("\t", " ").split(" ") if word]
        if words and not words[0].startswith("#"):
            try:
                reader.read(words)
            except NoteInvalid as error:
                raise PolicyInvalid(error.problem, number) from None
            except PolicyInvalid as error:
                raise PolicyInvalid(error.problem, number) from None
    if reader.quorum is None:
        raise PolicyInvalid("there is no quorum line")
    return WitnessPolicy(
        logs=tuple(reader.logs), witnesses=tuple(reader.witnesses), groups=reader.groups, quorum=reader.quorum
    )


class _PolicyReader:
    def __init__(self) -> None:
        self.logs: list[PolicyLog] = []
        self.witnesses: list[Witness] = []
        self.groups: dict[str, Group] = {}
        self.quorum: str | None = None
        self._grouped: set[str] = set()

    def read(self, words: list[str]) -> None:
        match words:
            case ["log", key, *rest] if len(rest) < 2:
                self._log(parse_verifier_key(key), rest[0] if rest else None)
            case ["witness", name, key, *rest] if len(rest) < 2:
                self._witness(name, parse_witness_key(key), rest[0] if rest else None)
            case ["group", name, threshold, *members] if members:
                self._group(name, threshold, tuple(members))
            case ["quorum", name]:
                self._quorum(name)
            case _:
                raise PolicyInvalid("is none of: log <key> [url], witness <name> <key> [url], group …, quorum <name>")

    def _log(self, key: VerifierKey, url: str | None) -> None:
        if any(each.key.public_key == key.public_key for each in self.logs):
            raise PolicyInvalid("lists a log's key twice")
        self.logs.append(PolicyLog(key=key, url=url))

    def _witness(self, name: str, key: WitnessKey, url: str | None) -> None:
        self._require_new(name)
        if any(each.key.public_key == key.public_key for each in self.witnesses):
            raise PolicyInvalid("lists a witness's key twice")
        self.witnesses.append(Witness(name=name, key=key, url=url))

    def _group(self, name: str, threshold: str, members: tuple[str, ...]) -> None:
        self._require_new(name)
        for member in members:
            if not self._is_known(member):
                raise PolicyInvalid(f"{member} is not defined above")
            if member in self._grouped or members.count(member) > 1:
                raise PolicyInvalid(f"{member} is in a group already")
        self._grouped.update(members)
        number = {"any": 1, "all": len(members)}.get(threshold)
        if number is None and threshold.isascii() and threshold.isdigit() and not threshold.startswith("0"):
            number = int(threshold)
        if number is None or number > len(members):
            raise PolicyInvalid(f"{threshold} is not any, all, or a number from 1 to {len(members)}")
        self.groups[name] = Group(threshold=number, members=members)

    def _quorum(self, name: str) -> None:
        if self.quorum is not None:
            raise PolicyInvalid("is a second quorum line")
        if name != NO_QUORUM and not self._is_known(name):
            raise PolicyInvalid(f"{name} is not defined above")
        self.quorum = name

    def _require_new(self, name: str) -> None:
        if name == NO_QUORUM or self._is_known(name):
            raise PolicyInvalid(f"the name {name} is taken")

    def _is_known(self, name: str) -> bool:
        return name in self.groups or any(each.name == name for each in self.witnesses)
