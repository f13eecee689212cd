"""A participant's word that the evaluation data of a job is deleted on their side."""

from .envelope import Digest, JobFact, Token


class DeletionAttested(
    JobFact, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="deletion_attested.v1"
):
    """Stated once for a job. A word, no proof: nobody can look into somebody else's storage."""

    key_id: Token
    """Who gave it."""
    statement: Digest
    """SHA-256 of the statement's UTF-8 text, which may name people and stays out of the log."""
