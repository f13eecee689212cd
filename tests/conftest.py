"""For all tests: property tests judge results, not speed; a busy machine must not fail one."""

from hypothesis import settings

settings.register_profile("aml", deadline=None)
settings.load_profile("aml")
