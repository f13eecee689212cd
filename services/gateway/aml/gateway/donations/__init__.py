"""Benchmarks that somebody offers: proposals, their packages, and the decisions on them."""
