"""Small memory systems behind Add and Search. Each imports nothing of the platform: copy one, and `serve.py`, and begin."""
