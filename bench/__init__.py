"""The performance harness: `python -m bench`. Results go to `bench/results/` as JSON and Markdown."""
