"""Leaderboard keys."""
