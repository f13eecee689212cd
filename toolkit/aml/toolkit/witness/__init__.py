"""A small witness for other people's logs, so that two organisations can watch each other (C2SP tlog-witness)."""
