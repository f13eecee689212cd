"""Metrics that all services share. Labels are stages and outcomes, never jobs or questions."""

from prometheus_client import Counter, Gauge, Histogram

LANE_IN_FLIGHT = Gauge("aml_lane_in_flight", "Units being worked on now.", ["stage"])
LANE_OUTCOMES = Counter("aml_lane_units_total", "Units by how their delivery ended.", ["stage", "outcome"])
PARTICIPANT_CALLS = Counter("aml_participant_calls_total", "Calls to participants.", ["call", "outcome"])
PARTICIPANT_SECONDS = Histogram(
    "aml_participant_seconds",
    "Seconds of an acknowledged call to a participant.",
    ["call"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600, 1800),
)
