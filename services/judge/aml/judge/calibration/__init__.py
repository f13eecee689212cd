"""The judge measured on labelled answers: the shipped set, the measurement, and the fact that it was made."""
