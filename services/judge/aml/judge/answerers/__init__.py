"""Ways to answer a question from returned memories."""
