"""The files that `aml apply --template` and `aml propose-benchmark --template` print, to be filled in."""

from typing import Final

APPLICATION: Final = """\
# An application for access. Fill it in, then: aml apply THIS_FILE
# The Memory System Key has no place here: --memory-key-file, or AML_MEMORY_SYSTEM_KEY.

contact = ""            # Who answers questions: a name, an address. Not shown in public.
organisation = ""       # Laboratory, company or team.
system = ""             # The name that the board shows.
version = ""            # A fixed version of it.
track = "textual"       # textual, multimodal or coding.
division = "open_source"            # open_source or commercial.
public_display_consent = false      # true: name, version and scores may be shown on the board.
description = ""        # What the method or product does.
run_instructions = ""   # What a reviewer must know to run it: limits, warm-up, known faults.
auth = "bearer"         # none, bearer, token or x-api-key: how the key is sent to your system.

[endpoints]
add_url = ""
search_url = ""
health_url = ""
add_status_url = ""     # Only where Add may answer 202; with {task_id} in it.

[capacity]              # The most calls at once that you take.
max_add_concurrency = 4
max_search_concurrency = 16

[timeouts]              # The longest that one call may take.
add_seconds = 1800
search_seconds = 1800

# [rate_limits]         # Calls a minute from which on you answer 429.
# add_per_minute = 600
# search_per_minute = 600

[disclosure]
# Open-source methods:
repository = ""
commit = ""             # The commit's full hash: a branch can move.
original_works = ""     # What it builds on; "none" for a method of your own.
authors = ""
technical_report = ""
method_changes = ""     # What you changed of the original; "none" for nothing.
# Commercial products:
product_version = ""
operations_contact = "" # Whom we call when it stands still. Not shown in public.
"""

PROPOSAL: Final = """\
# A benchmark that you offer. Fill it in, then: aml propose-benchmark THIS_FILE --package DATA.zip

contact = ""            # A name.
email = ""
organisation = ""
title = ""
track = "textual"       # textual, multimodal or coding.
scale = ""              # How many samples, questions and words.
measures = ""           # Which capability of a memory it shows, and what the present suite does not.
license = ""            # An SPDX expression, such as CC-BY-4.0.
provenance = []         # Addresses of its source, paper, repository: ["https://…"].
notes = ""              # How the right answers were made and checked; what it is not for.
sample = '''
'''                     # A few representative records.
"""
