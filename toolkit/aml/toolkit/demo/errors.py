"""What can keep the demo from its board.

EvaluationError
└── DemoFailed
    ├── StepFailed       a system did not get past a step           (walk.py)
    ├── BoardMissing     the board did not show every result        (await_board.py)
    └── FolderTaken      the folder for the board holds other files (board_folder.py)
"""

from aml.toolkit.evaluation.errors import EvaluationError


class DemoFailed(EvaluationError):
    """Root."""
