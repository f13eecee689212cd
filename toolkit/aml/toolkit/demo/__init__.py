"""`aml demo`: from nothing to a published board, by the same HTTP calls that everybody else makes."""
