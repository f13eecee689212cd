"""What the gateway counts beside the shared metrics."""

from prometheus_client import Counter, Gauge

OUTBOX_PUBLISHED = Counter("aml_gateway_outbox_published_total", "Own events that were stored by the stream.")
PROJECTED = Counter("aml_gateway_projected_events_total", "Events that were folded into the read model.")
PROJECTION_WAITING = Gauge("aml_gateway_projection_waiting", "Events that were received and are not folded yet.")
