from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.factories import events
from tests.factories.boards import a_shown_board
from tests.factories.results import MARCH_2026, a_gate, a_result, a_review, digest_of

from aml.contracts.boards import BoardPublished
from aml.contracts.events import Event
from aml.publisher.collect_board import Approvals, basis_of, board_id_of, decide_boards, ranks


def a_state(*events: Event) -> Approvals:
    state = Approvals()
    for event in events:
        state.apply(event)
    return state


def a_publication(version: int, board_id: str = "textual-practice-1") -> BoardPublished:
    return BoardPublished(
        at=MARCH_2026, board_id=board_id, version=version, rows=1, digest="0" * 64, tree_size=9, root="0" * 64
    )


def jobs_on(state: Approvals) -> list[str]:
    return [one.job_id for draft in decide_boards(state) for one in draft.candidates]


def test_an_approved_result_is_on_the_board() -> None:
    gate = a_gate("a")

    assert jobs_on(a_state(gate, a_review(gate))) == ["a"]


def test_without_a_review_there_is_no_board() -> None:
    assert decide_boards(a_state(a_gate("a"))) == ()


def test_a_review_alone_puts_nothing_on_the_board() -> None:
    assert decide_boards(a_state(a_review(a_gate("a")))) == ()


def test_the_last_decision_stands_in_whatever_order_it_arrives() -> None:
    gate = a_gate("a")
    approved, withdrawn = a_review(gate), a_review(gate, decision="withdraw", number=2)
    again = a_review(gate, number=3)

    assert jobs_on(a_state(gate, approved, withdrawn)) == []
    assert jobs_on(a_state(withdrawn, gate, approved)) == []
    assert jobs_on(a_state(gate, again, withdrawn, approved)) == ["a"]


def test_an_approval_of_another_result_does_not_count() -> None:
    gate = a_gate("a")

    assert jobs_on(a_state(gate, a_review(gate, seal=digest_of("some other seal")))) == []


def test_a_result_without_a_score_has_no_place_in_an_order() -> None:
    gate = a_gate("a", result=a_result(None, datasets={"practice": 1}))

    assert jobs_on(a_state(gate, a_review(gate))) == []


def test_better_scores_come_first_and_equal_ones_by_the_earlier_approval() -> None:
    late, early, best = a_gate("a"), a_gate("b"), a_gate("c", result=a_result(900_000))

    state = a_state(
        late, early, best, a_review(late, at=MARCH_2026 + 9), a_review(early, at=MARCH_2026 + 5), a_review(best)
    )

    assert jobs_on(state) == ["c", "b", "a"]


def test_tracks_and_releases_have_boards_of_their_own() -> None:
    one, other = a_gate("a"), a_gate("b", release_digest=digest_of("another release"))

    drafts = decide_boards(a_state(one, other, a_review(one), a_review(other)))

    assert [len(draft.candidates) for draft in drafts] == [1, 1]
    assert len({draft.board_id for draft in drafts}) == 2


def test_a_published_board_stays_when_its_last_row_is_withdrawn() -> None:
    gate = a_gate("a")
    board_id = board_id_of("textual", gate.subject.release_id, gate.subject.release_digest)

    drafts = decide_boards(a_state(gate, a_review(gate, decision="withdraw"), a_publication(1, board_id)))

    assert [(draft.board_id, draft.candidates) for draft in drafts] == [(board_id, ())]


def test_the_highest_published_version_counts() -> None:
    state = a_state(a_publication(2), a_publication(3), a_publication(1))

    assert state.version_of("textual-practice-1") == 3
    assert state.version_of("unknown") == 0


def test_news_are_told_once() -> None:
    told: list[None] = []
    gate = a_gate("a")
    state = Approvals(on_change=lambda: told.append(None))

    for event in (gate, a_review(gate), gate, a_review(gate)):
        state.apply(event)

    assert len(told) == 2


def test_ranks_count_within_a_division() -> None:
    board = a_shown_board(
        [
            a_gate("a", result=a_result(800_000)),
            a_gate("b", result=a_result(900_000), division="commercial"),
            a_gate("c", result=a_result(700_000)),
            a_gate("d", result=a_result(990_000), division="baseline", arm="oracle"),
        ]
    ).board

    assert [(row.job_id, row.rank) for row in board.rows] == [("a", 1), ("c", 2), ("b", 1), ("d", 1)]


def test_equal_scores_share_a_rank_and_the_next_one_skips() -> None:
    assert ranks([9, 7, 7, 7, 2]) == [1, 2, 2, 2, 5]
    assert ranks([]) == []


@given(st.lists(st.integers(0, 20), max_size=30))
def test_a_rank_is_one_more_than_the_number_of_better_scores(scores: list[int]) -> None:
    ordered = sorted(scores, reverse=True)

    assert ranks(ordered) == [1 + sum(other > score for other in ordered) for score in ordered]


def test_the_basis_changes_with_every_input() -> None:
    gate = a_gate("a")
    [draft] = decide_boards(a_state(gate, a_review(gate)))
    [reviewed_again] = decide_boards(a_state(gate, a_review(gate, number=2)))
    [other_result] = decide_boards(a_state(sealed := replace(gate, seal=digest_of("x")), a_review(sealed)))

    bases = {
        basis_of(draft.candidates, comparable=True),
        basis_of(draft.candidates, comparable=False),
        basis_of((), comparable=True),
        basis_of(reviewed_again.candidates, comparable=True),
        basis_of(other_result.candidates, comparable=True),
    }

    assert len(bases) == 5


def test_the_first_disclosure_of_a_version_stands_and_makes_no_board() -> None:
    told = events.told(at=1, version_id="v", key_id="k", repository="https://git.example/a")

    state = a_state(told, replace(told, repository="https://git.example/b"))

    assert state.disclosures == {"v": told}
    assert decide_boards(state) == ()


def test_what_an_owner_changed_later_holds_in_whatever_order_it_comes() -> None:
    told = events.told(at=1, version_id="v", key_id="k", repository="https://git.example/a")
    first, second = (
        events.told_again(
            at=2, version_id="v", key_id="k", number=number, changed=("disclosure",), new_smoke_needed=False,
            repository=f"https://git.example/{number}",
        )
        for number in (1, 2)
    )  # fmt: skip

    said: tuple[Event, ...] = (told, first, second)
    for order in permutations(said):
        assert a_state(*order).disclosures == {"v": second}
