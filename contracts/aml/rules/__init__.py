"""Pure functions on which all parties must agree: no clock, no input or output. An auditor runs these same ones.

Import them from their modules; this package loads none of them, so that a worker does not pay for the gate.
"""
