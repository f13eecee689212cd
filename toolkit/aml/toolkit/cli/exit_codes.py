"""What a verdict means to a shell."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from aml.toolkit.evaluation.exit_decision import Conclusion

from .boundary import ExitCode

CODES: Final[Mapping[Conclusion, ExitCode]] = MappingProxyType(
    {
        Conclusion.PASSED: ExitCode.PASS,
        Conclusion.BELOW_THRESHOLD: ExitCode.BELOW_THRESHOLD,
        Conclusion.INCOMPLETE: ExitCode.INCOMPLETE,
    }
)
