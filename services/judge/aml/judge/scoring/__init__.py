"""Scoring rules, one file each, and the dispatch from a release's rule name to them."""
