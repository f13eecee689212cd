"""`practice`: our own synthetic suite, made by a seeded generator. Results on it are not comparable with anybody's."""
