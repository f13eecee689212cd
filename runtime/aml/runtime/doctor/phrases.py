"""What the doctor writes: small facts with a made-up name in each, by which they are known again. Pure.

The names are pronounceable, so that a memory system that reads for meaning takes them for names, and come from a hash, so
that two facts of a run, or of two runs, never share one.
"""

import hashlib
from itertools import cycle, islice
from typing import Final

from msgspec import Struct

_CONSONANTS: Final = "bdfgklmnprstvzhj"
_VOWELS: Final = "aeiou"
_SYLLABLES: Final = 4

ROLES: Final = (
    "dentist", "landlord", "piano tuner", "beekeeper", "neighbour", "accountant", "barber", "plumber", "gardener",
    "optician", "tailor", "choir leader", "chess partner", "baker", "carpenter", "lifeguard", "librarian", "florist",
    "electrician", "swimming teacher", "cobbler", "postman", "vet", "physiotherapist",
)  # fmt: skip

_FILLER: Final = (
    "On the way back we stopped at the small bridge and watched the boats for a while.",
    "The soup needed more salt than the recipe said, so I wrote that in the margin.",
    "It rained until noon, and after that the paths in the park were too muddy to run on.",
    "My sister sent a picture of the new curtains, which look darker than in the shop.",
    "The train was late again, but the waiting room was warm and almost empty.",
    "I am still looking for a lamp that fits between the shelf and the window.",
)


class Told(Struct, frozen=True):
    text: str
    query: str
    name: str


def name_of(run: str, key: str) -> str:
    """`Kovadami`: 40 million such names."""
    digest = hashlib.sha256(f"{run}\0{key}".encode()).digest()
    syllables = (
        _CONSONANTS[digest[2 * place] % len(_CONSONANTS)] + _VOWELS[digest[2 * place + 1] % len(_VOWELS)]
        for place in range(_SYLLABLES)
    )
    return "".join(syllables).capitalize()


def told(run: str, key: str, number: int = 0) -> Told:
    """Facts with different numbers below 24 are about different people."""
    role, name = ROLES[number % len(ROLES)], name_of(run, f"{key}-{number}")
    return Told(f"My {role} is called {name}.", f"What is my {role} called?", name)


def filler(words: int) -> str:
    """Plain English of exactly so many words."""
    return " ".join(islice(cycle(" ".join(_FILLER).split()), words))
