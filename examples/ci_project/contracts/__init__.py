"""Shapes that the parts of this project share. The name is this project's own: the evaluation brings none like it."""
