"""Decisions on publication."""
