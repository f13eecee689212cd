"""Which of an application's texts the public may read. Contacts, addresses and instructions stay here."""

from typing import Final

from .bodies import AccessApplication

_PUBLIC: Final = (
    *("repository", "commit", "original_works", "authors", "technical_report", "method_changes", "product_version"),
)


def disclosed_fields(application: AccessApplication) -> dict[str, str | None]:
    """As `VersionDisclosed` and `VersionChanged` name them; what is blank is None."""
    texts = {name: (getattr(application.disclosure, name) or "").strip() or None for name in _PUBLIC}
    return {"organisation": application.organisation, **texts}
