"""LongMemEval on the one engine: its sampling, its histories, its oracle arm, and what it reports."""

from .errors import JudgeUndecided, LongMemEvalError, NothingSelected, OptionInvalid, ReleaseNotOffered
from .history import SESSION_BOUNDARY_ACKNOWLEDGEMENT, SESSION_MARKER_PREFIX, UNPAIRED_USER_ACKNOWLEDGEMENT
from .long_mem_eval import LongMemEval
from .options import LongMemEvalOptions
from .oracle import OracleOptions
from .question_result import LongMemEvalQuestion
from .result import LongMemEvalResult, PairedResult

__all__ = [
    "SESSION_BOUNDARY_ACKNOWLEDGEMENT",
    "SESSION_MARKER_PREFIX",
    "UNPAIRED_USER_ACKNOWLEDGEMENT",
    "JudgeUndecided",
    "LongMemEval",
    "LongMemEvalError",
    "LongMemEvalOptions",
    "LongMemEvalQuestion",
    "LongMemEvalResult",
    "NothingSelected",
    "OptionInvalid",
    "OracleOptions",
    "PairedResult",
    "ReleaseNotOffered",
]
