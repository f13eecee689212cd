"""A process from which the services of one machine are forked (ADR 19)."""
