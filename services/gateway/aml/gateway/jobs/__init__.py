"""Smoke and full runs."""
