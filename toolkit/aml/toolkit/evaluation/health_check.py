"""Does the system answer at all? Asked before anything is created, since a run against nothing helps nobody."""

import httpx

from .errors import EvaluationError

TIMEOUT_SECONDS = 10.0


class SystemUnhealthy(EvaluationError):
    def __init__(self, url: str, problem: str) -> None:
        advice = "start the system, or say where its health is with --health-url"
        super().__init__(f"GET {url} {problem}; {advice}")
        self.url = url
        self.problem = problem


def check_health(url: str, *, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
    """An unauthenticated GET that must end in 2xx. Raises `SystemUnhealthy`."""
    try:
        answer = httpx.get(url, timeout=timeout_seconds, follow_redirects=False, trust_env=False)
    except httpx.TimeoutException:
        raise SystemUnhealthy(url, f"gave no answer within {timeout_seconds:g} s") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise SystemUnhealthy(url, f"failed ({error or type(error).__name__})") from None
    if not answer.is_success:
        raise SystemUnhealthy(url, f"answered {answer.status_code} and not 2xx")
