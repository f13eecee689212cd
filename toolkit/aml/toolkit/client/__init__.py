"""What the client commands are made of: files that people write, secrets that are kept, answers as lines and tables."""
