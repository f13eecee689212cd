"""Participants with one fault each, for the contract doctor to find: `python -m aml.examples.broken --fault NAME`."""
