"""What a participant confirms before a full run: by a flag an item, or on a terminal when asked."""

import os
from typing import Annotated, Any, Final

import typer

from aml.gateway.jobs.bodies import Checklist
from aml.toolkit.evaluation.errors import WrongUsage

_ITEMS: Final = {
    "smoke_passed": ("--smoke-passed", "A smoke run of this very version passed."),
    "contract_followed": ("--contract-followed", "The system keeps to the participant contract."),
    "run_instructions_complete": ("--run-instructions-complete", "The run instructions are complete and current."),
    "originality_disclosed": ("--originality-disclosed", "Works, authors and changes are disclosed."),
    "no_integrity_violations": ("--no-integrity-violations", "Nothing breaks the integrity rules."),
}
"""Of the checklist: field to option and sentence."""


def _item(field: str) -> Any:
    flag, sentence = _ITEMS[field]
    return typer.Option(flag, help=sentence)


SmokePassed = Annotated[bool, _item("smoke_passed")]
ContractFollowed = Annotated[bool, _item("contract_followed")]
RunInstructionsComplete = Annotated[bool, _item("run_instructions_complete")]
OriginalityDisclosed = Annotated[bool, _item("originality_disclosed")]
NoIntegrityViolations = Annotated[bool, _item("no_integrity_violations")]


def complete(ticked: Checklist) -> Checklist:
    """Asks for what no flag said, on a terminal. Raises `WrongUsage` elsewhere, and `typer.Abort` at a no."""
    missing = [name for name in Checklist.__struct_fields__ if not getattr(ticked, name)]
    if missing and not os.isatty(0):
        raise WrongUsage("checklist", f"confirm with {' '.join(_ITEMS[name][0] for name in missing)}")
    for name in missing:
        typer.confirm(_ITEMS[name][1], abort=True)
    return Checklist(**dict.fromkeys(Checklist.__struct_fields__, True))
