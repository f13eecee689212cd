"""The stream, folded into tables."""
