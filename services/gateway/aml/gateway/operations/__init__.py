"""The operator's own runs and repairs."""
