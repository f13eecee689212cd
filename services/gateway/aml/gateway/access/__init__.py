"""Applications and the versions that come of them."""
