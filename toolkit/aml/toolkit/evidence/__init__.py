"""What an operator does with evidence: rotate its key, destroy a job's, enforce the 30-day rule, sweep orphans."""
