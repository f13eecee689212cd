"""The options that several `aml audit` commands take."""

from pathlib import Path
from typing import Annotated

import typer

Bundle = Annotated[Path, typer.Argument(metavar="BUNDLE", help="The archive that `aml audit export` wrote.")]
Releases = Annotated[
    Path | None, typer.Option("--releases", help="A folder of release folders beside the bundled ones.")
]
OutcomeFile = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the whole outcome there.")]
