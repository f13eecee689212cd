import pytest
from tests.factories.cosigners import ORIGIN, a_note, a_policy, cosigned, log_key, witness_key

from aml.rules.checkpoint import NoteInvalid
from aml.rules.witness_policy import PolicyInvalid, QuorumMissing, open_cosigned, parse_policy, require_quorum

NOW_S = 1_780_000_000
NOTE = a_note(7, bytes(32))


def witness(name: str) -> str:
    return f"witness {name} {witness_key(name)}"


def test_enough_cosignatures_are_enough() -> None:
    policy = parse_policy(a_policy("a", "b", "c", quorum="2"))

    assert require_quorum(cosigned(NOTE, "a", "c"), policy, now_s=NOW_S) == ("a", "c")
    assert open_cosigned(cosigned(NOTE, "c", "b"), policy, now_s=NOW_S).size == 7


def test_below_the_quorum_it_is_said_who_cosigned() -> None:
    policy = parse_policy(a_policy("a", "b", "c", quorum="2"))

    with pytest.raises(QuorumMissing, match=r"cosigned by a$"):
        open_cosigned(cosigned(NOTE, "a"), policy, now_s=NOW_S)
    with pytest.raises(QuorumMissing, match="by no witness"):
        open_cosigned(NOTE, policy, now_s=NOW_S)


def test_one_witness_does_not_count_twice_and_a_stranger_not_at_all() -> None:
    policy = parse_policy(a_policy("a", "b", quorum="all"))

    for note in (cosigned(NOTE, "a", "a"), cosigned(NOTE, "a", "stranger")):
        with pytest.raises(QuorumMissing, match=r"cosigned by a$"):
            open_cosigned(note, policy, now_s=NOW_S)


def test_a_forged_line_and_one_from_the_future_are_named() -> None:
    policy = parse_policy(a_policy("a", "b", quorum="all"))

    with pytest.raises(QuorumMissing, match="the cosignature of b is wrong"):
        open_cosigned(cosigned(cosigned(NOTE, "a"), "b", secret="thief"), policy, now_s=NOW_S)
    late = cosigned(cosigned(NOTE, "a"), "b", time_s=NOW_S + 301)
    with pytest.raises(QuorumMissing, match="of b is 301 s in the future"):
        open_cosigned(late, policy, now_s=NOW_S)
    assert require_quorum(late, policy, now_s=None) == ("a", "b")
    assert require_quorum(late, policy, now_s=NOW_S + 1) == ("a", "b")


def test_another_log_is_not_accepted_whoever_cosigned_it() -> None:
    policy = parse_policy(a_policy("a"))

    with pytest.raises(NoteInvalid):
        open_cosigned(cosigned(a_note(7, bytes(32), secret="other"), "a"), policy, now_s=NOW_S)
    with pytest.raises(NoteInvalid, match="names no log"):
        open_cosigned(NOTE, parse_policy("quorum none"), now_s=NOW_S)


def test_groups_of_groups() -> None:
    lines = [*map(witness, "abcde"), "group x 2 a b c", "group y any d e", "group both all x y", "quorum both"]
    policy = parse_policy("\n".join(lines))

    assert policy.is_met({"a", "c", "e"})
    assert not policy.is_met({"a", "b", "c"})
    assert not policy.is_met({"a", "d", "e"})


def test_without_a_quorum_the_logs_signature_is_enough() -> None:
    assert open_cosigned(NOTE, parse_policy(a_policy("a", quorum="none")), now_s=NOW_S).origin == ORIGIN


def test_comments_tabs_and_addresses_are_read() -> None:
    text = f"# ours\n\n\tlog\t{log_key()} https://log.example.org/aml\n {witness('a')} https://w.example \nquorum a\n"
    policy = parse_policy(text)

    assert (policy.logs[0].url, policy.witnesses[0].url) == ("https://log.example.org/aml", "https://w.example")


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([], "no quorum line"),
        (["quorum a"], "line 1: a is not defined above"),
        (["quorum none", "quorum none"], "line 2: is a second quorum"),
        ([witness("a"), witness("a"), "quorum a"], "line 2: the name a is taken"),
        ([witness("none"), "quorum none"], "line 1: the name none is taken"),
        ([witness("a"), witness("a").replace("witness a", "witness b"), "quorum a"], "line 2: lists a witness's key"),
        ([f"log {log_key()}", f"log {log_key()}", "quorum none"], "line 2: lists a log's key"),
        ([f"log {witness_key('a')}", "quorum none"], "line 1: the verifier key is not"),
        ([f"witness a {log_key()}", "quorum a"], "line 1: the witness's key is not"),
        ([witness("a"), "group g 2 a", "quorum g"], "line 2: 2 is not any, all, or a number from 1 to 1"),
        ([witness("a"), "group g 0 a", "quorum g"], "line 2: 0 is not"),
        ([witness("a"), "group g any", "quorum g"], "line 2: is none of"),
        ([witness("a"), "group g any a", "group h any a", "quorum g"], "line 3: a is in a group already"),
        ([witness("a"), "group g all a a", "quorum g"], "line 2: a is in a group already"),
        ([witness("a"), "group g any g", "quorum g"], "line 2: g is not defined above"),
        (["loq x", "quorum none"], "line 1: is none of"),
        (["quorum none\r"], "line 1: holds a control character"),
    ],
)
def test_a_malformed_policy_is_refused_by_its_line(lines: list[str], problem: str) -> None:
    with pytest.raises(PolicyInvalid, match=problem):
        parse_policy("\n".join(lines))
