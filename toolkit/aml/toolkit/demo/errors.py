"""What can keep the demo from its board.

EvaluationError
└── DemoFailed
    ├── StepFailed       a system did not get past a step           (walk.py)
    └── BoardMissing     the board did not show every result        (await_board.py)

`FolderTaken` (board_folder.py) is a `WrongUsage`: the folder for the board holds other files.
"""

from aml.toolkit.evaluation.errors import EvaluationError


class DemoFailed(EvaluationError):
    """Root."""
