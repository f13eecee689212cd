"""The publisher's own metrics."""

from prometheus_client import Counter, Gauge, Histogram

BOARDS_PUBLISHED = Counter("aml_board_versions_total", "Board versions that this process published.")
UNVERIFIED_ROWS = Gauge("aml_board_unverified_rows", "Approved results that the log does not prove.")
REFRESH_SECONDS = Histogram("aml_board_refresh_seconds", "Seconds to bring the served board up to the state.")
