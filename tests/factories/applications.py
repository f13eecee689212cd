"""Applications for access, as their bodies decode: `an_application(auth="none", memory_system_key=None)`."""

from typing import Any

import msgspec

from aml.gateway.access.bodies import AccessApplication

OPEN = {
    "repository": "https://git.example/recollect",
    "commit": "0123456789abcdef0123456789abcdef01234567",
    "original_works": "none",
    "method_changes": "none",
}
URLS = {
    "add_url": "https://memory.example/add",
    "search_url": "https://memory.example/search",
    "health_url": "https://memory.example/health",
}


def an_application(**changes: Any) -> AccessApplication:
    values: dict[str, Any] = {
        "contact": "ada@example.org", "organisation": "Lab", "system": "Recollect", "version": "1", "track": "textual",
        "division": "open_source", "description": "d", "run_instructions": "r", "endpoints": URLS,
        "auth": "bearer", "memory_system_key": "k" * 20, "public_display_consent": True, "disclosure": OPEN,
    }  # fmt: skip
    return msgspec.convert(values | changes, AccessApplication)
