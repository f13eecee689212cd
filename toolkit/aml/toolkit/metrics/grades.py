"""Letters and stars for a score of 0 to 100.

Letters follow the common scale in tens (A from 90, B from 80, C from 70, D from 60), and A+ begins at 97 as it does there.
Stars begin at 90, 75, 60 and 40. Both are for people: assertions and comparisons take the number.
"""

_LETTERS = ((97.0, "A+"), (90.0, "A"), (80.0, "B"), (70.0, "C"), (60.0, "D"))
_STARS = ((90.0, 5), (75.0, 4), (60.0, 3), (40.0, 2))


def grade_of(score: float) -> str:
    return next((letter for least, letter in _LETTERS if score >= least), "F")


def stars_of(score: float) -> int:
    return next((stars for least, stars in _STARS if score >= least), 1)
