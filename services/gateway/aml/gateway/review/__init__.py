"""What reviewers read, write and decide, and what participants attest after their jobs."""
