from tests.factories.results import digest_of

from aml.publisher.release_facts import ReleaseFacts, ReleaseFolders
from aml.publisher.site_index import SiteBoard
from aml.runtime.release_folder import bundled_releases, load_release


def a_listing(title: str = "As it was", *, comparable: bool = True) -> SiteBoard:
    return SiteBoard(
        board_id="textual-practice-1",
        title=title,
        track="textual",
        release_id="practice",
        release_digest=digest_of("old"),
        comparable=comparable,
        version=1,
        rows=1,
        digest=digest_of("board"),
        basis=digest_of("basis"),
    )


def test_an_installed_release_speaks_for_itself() -> None:
    loaded = load_release(bundled_releases()["practice"])

    facts = ReleaseFolders(None).facts("practice", loaded.digest, a_listing())

    assert facts == ReleaseFacts(title=loaded.release.title, comparable=loaded.release.comparable)
    assert not facts.comparable


def test_another_digest_under_the_same_name_is_not_that_release() -> None:
    assert ReleaseFolders(None).facts("practice", digest_of("old"), a_listing()) == ReleaseFacts(
        title="As it was", comparable=True
    )


def test_a_release_that_was_never_known_is_not_comparable() -> None:
    assert ReleaseFolders(None).facts("gone", digest_of("x"), None) == ReleaseFacts(title="gone", comparable=False)
