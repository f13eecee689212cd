"""`python -m aml.ingest.benchmarks.practice --out FILE [--smoke]`: writes the practice bundle and prints its SHA-256."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .write_bundle import write_practice_bundle


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m aml.ingest.benchmarks.practice", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write the bundle")
    parser.add_argument("--smoke", action="store_true", help="the small one: 2 personas, 12 questions")
    options = parser.parse_args(arguments)
    try:
        digest = write_practice_bundle(options.out, smoke=options.smoke)
    except OSError as error:
        sys.stderr.write(
            f"{options.out}: cannot be written: {error.strerror or error}; name a file in a folder that exists\n"
        )
        return 1
    sys.stdout.write(f"{digest}  {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
