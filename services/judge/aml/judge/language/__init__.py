"""What the built-in answerer and the rule-based judge read in English and Chinese text."""
