"""Read models made anew from the log."""
