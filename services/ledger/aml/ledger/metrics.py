"""What the ledger counts."""

from prometheus_client import Counter, Gauge

APPENDED = Counter("aml_ledger_entries_total", "Entries appended by this process.")
DUPLICATES = Counter("aml_ledger_duplicates_total", "Messages whose event the log already held.")
REFUSED = Counter("aml_ledger_refused_total", "Messages that are no event in canonical form.")
TREE_SIZE = Gauge("aml_ledger_tree_size", "Entries in the log.")
SIGNED_SIZE = Gauge("aml_ledger_signed_size", "Entries under the newest checkpoint.")
PUBLISHED_SIZE = Gauge("aml_ledger_published_size", "Entries under the newest published checkpoint.")
