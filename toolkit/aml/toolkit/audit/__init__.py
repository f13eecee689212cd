"""Export a bundle of the log, verify it offline, score its answers again, tell a job's story."""
