"""The options of commands about runs on the platform: which one, and how one is ordered or taken up again."""

from typing import Annotated

import typer

JobId = Annotated[str, typer.Argument(metavar="JOB", help="Its id, as `aml jobs` lists it.")]
Label = Annotated[str | None, typer.Option("--label", help="A name of your own; unique for a key and track.")]
VersionId = Annotated[
    str | None, typer.Option("--version", metavar="ID", help="Needed where several versions are bound to the key.")
]
Release = Annotated[str | None, typer.Option("--release", metavar="ID", help="Without it the platform's own choice.")]
AddAtOnce = Annotated[
    int | None, typer.Option("--add-concurrency", min=1, max=1024, help="Within what the version declared.")
]
SearchAtOnce = Annotated[
    int | None, typer.Option("--search-concurrency", min=1, max=1024, help="Within what the version declared.")
]
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Return as soon as it is ordered.")]
