"""A scenario file of one story, stating only what matters."""

_FILE = """
category = "{category}"
language = "en"
[[scenarios]]
id = "mine"
difficulty = "easy"
asked = 2025-05-02
sessions = [{{ on = 2025-03-04, talk = '''
{talk}
''' }}]
noise = {noise}
[[scenarios.questions]]
ask = "When does the tide turn?"
judge = "standard"
answer = "{answer}"
facts = [{{ any = ["4:13"], importance = 70 }}]
forbidden = {forbidden}
evidence = ["{evidence}"]
"""


def a_scenario_file(
    category: str = "noise_resilience",
    *,
    talk: str = "U[it]: The tide turns at 4:13, on the 2nd.\nA: Noted.",
    noise: tuple[str, ...] = (),
    forbidden: tuple[str, ...] = ("3:14",),
    answer: str = "At 4:13.",
    evidence: str = "it",
) -> str:
    """Without an argument it keeps all rules."""
    apart = [[each] for each in forbidden]
    return _FILE.format(
        category=category, talk=talk, noise=list(noise), forbidden=apart, answer=answer, evidence=evidence
    )
