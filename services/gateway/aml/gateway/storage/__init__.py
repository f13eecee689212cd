"""The database, its statements and the outbox."""
