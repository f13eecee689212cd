"""Evaluating one system on a local stack: what `aml run` does, and the parts of it that `aml demo` shares."""
