"""For a child that a test will interrupt: a shell that runs jobs in the background hands down an ignored SIGINT."""

import signal


def hears_ctrl_c() -> None:
    """As `preexec_fn`. Python keeps an ignored SIGINT ignored, which is right for a user and no case for these tests."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
