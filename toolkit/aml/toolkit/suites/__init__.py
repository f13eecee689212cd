"""Suites of scenarios for agents: what they hold, and their compilation to the platform's own samples."""
