"""`aml check`: the contract doctor at a participant's own desk, with its report for people and for builds."""
