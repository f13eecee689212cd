"""Evaluating an agent on the one engine: serve it, order a job, follow it, and read what became of each question."""
