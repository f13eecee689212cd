"""One believable event of every kind. State only what matters to a test: `an_event(ChunkAdded, unit="…")`."""

from tests.factories.events.disclosures import told, told_again
from tests.factories.events.examples import EXAMPLES, an_event
from tests.factories.events.places import AT, JOB, RELEASE_ID, a_digest, a_ref

__all__ = ["AT", "EXAMPLES", "JOB", "RELEASE_ID", "a_digest", "a_ref", "an_event", "told", "told_again"]
