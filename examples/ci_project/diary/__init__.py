"""An assistant that keeps a diary of what its user tells it."""
