"""`await can_remember(agent, "My favourite language is Python")`: one fact told, small talk on it, and one question.

It is a suite of one scenario on the same engine. A sentence of the form "My X is Y" is asked for as "What is my X?" and wants Y;
any other one is asked back as a whole and wants its words. `question` and `expect` say it exactly.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.practice.bundle_format import encode_practice
from aml.toolkit.agents.agent import Agent
from aml.toolkit.agents.as_agent import as_agent
from aml.toolkit.agents.demands import Dates, Demands, History, Mode, agree
from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.results import QuestionRecord
from aml.toolkit.results.category import PASSING
from aml.toolkit.suites.compilation import DEFAULT_SEED, Case, Pick, compile_cases
from aml.toolkit.suites.presets import PRESETS
from aml.toolkit.suites.scenario import Fact, Scenario, ScenarioQuestion, ScenarioSession

from .agent_bundle import AgentBundle, read_asked
from .blocking import wait_for
from .errors import NotScored
from .option_checks import require_way
from .platform_access import Stack, access_platform, choose_stack, datasets_folder
from .question_records import question_records
from .run_bundle import RunSettings, run_bundle

TOLD_ON: Final = date(2025, 3, 4)
ASKED_ON: Final = date(2025, 3, 18)
EXCHANGES_BETWEEN: Final = 3
FEWEST_LETTERS: Final = 4

_MINE: Final = re.compile(r"(?:my|our|the)\s+(?P<what>.+?)\s+(?P<verb>is|are|was|were)\s+(?P<value>.+)", re.IGNORECASE)
_MINE_ZH: Final = re.compile(r"我(?:们)?的(?P<what>.+?)(?:是|叫|在)(?P<value>.+)")


class Probe(Struct, frozen=True, kw_only=True):
    ask: str
    expect: tuple[str, ...]
    """Each of them is wanted."""


class Remembered(Struct, frozen=True, kw_only=True):
    """True where the agent remembers: `assert await can_remember(…)`."""

    fact: str
    record: QuestionRecord
    job_id: str

    @property
    def answer(self) -> str | None:
        return self.record.answer

    def __bool__(self) -> bool:
        return self.record.score is not None and self.record.score >= PASSING


async def can_remember(
    agent: Any,
    fact: str,
    *,
    question: str | None = None,
    expect: Sequence[str] | str = (),
    language: Language = "en",
    stack: Stack | str = None,
    operator_key: str | None = None,
    datasets: Path | str | None = None,
    home: Path | str | None = None,
    keep_stack: bool = False,
    mode: Mode = "inject",
    history: History = "auto",
    dates: Dates = "auto",
) -> Remembered:
    """Options as of `Suite.run`. Raises what that raises, and `NotScored` where the agent's answer has no outcome."""
    require_way(language, mode, history, dates)
    chosen = choose_stack(stack, operator_key, datasets, home)
    probe = probe_for(fact, question, (expect,) if isinstance(expect, str) else tuple(expect), language)
    system = as_agent(agent)
    demands = Demands(mode=mode, history=history, dates=dates)
    if isinstance(system, Agent):
        agree(system, demands)
    case = case_of(fact, probe, language)
    bundle = _place(case, datasets_folder(chosen))
    asked = read_asked(bundle)
    async with access_platform(chosen, keep=keep_stack) as access:
        run = await run_bundle(system, bundle, asked, access, RunSettings(demands=demands, language=language))
    (record,) = question_records(case.keys, asked, run)
    if record.unscored is not None:
        raise NotScored(record.unscored.stage, record.unscored.reason, record.unscored.detail)
    return Remembered(fact=fact, record=record, job_id=run.job.job_id)


def can_remember_sync(agent: Any, fact: str, **options: Any) -> Remembered:
    return wait_for(can_remember(agent, fact, **options), "can_remember")


def probe_for(fact: str, question: str | None, expect: tuple[str, ...], language: Language) -> Probe:
    """What is asked, and what an answer must say. Raises `WrongUsage` for a fact with nothing to look for."""
    said = " ".join(fact.split()).rstrip(".!。！")
    if not said:
        raise WrongUsage("fact", "is empty; tell the agent something")
    found = (_MINE_ZH if language == "zh" else _MINE).fullmatch(said)
    if found is None:
        ask = (
            "我之前告诉过你什么？请复述一遍。"
            if language == "zh"
            else "What did I tell you earlier? Please say it again."
        )
        wanted = (said,) if language == "zh" else _telling_words(said)
    elif language == "zh":
        ask, wanted = f"我的{found['what']}是什么？", (found["value"],)
    else:
        ask, wanted = f"What {found['verb'].lower()} my {found['what']}?", (found["value"],)
    wanted = tuple(each for each in expect if each.strip()) or wanted
    if not wanted:
        raise WrongUsage("expect", "is needed: nothing in the fact tells it from others")
    return Probe(ask=question or ask, expect=wanted)


def case_of(fact: str, probe: Probe, language: Language) -> Case:
    told = " ".join(fact.split())
    reply = "好的，记下了。" if language == "zh" else "Good to know, thank you."
    scenario = Scenario(
        id="can-remember",
        difficulty="easy",
        asked=ASKED_ON,
        sessions=(ScenarioSession(on=TOLD_ON, talk=f"U[fact]: {told}\nA: {reply}\n~{EXCHANGES_BETWEEN}"),),
        questions=(
            ScenarioQuestion(
                ask=probe.ask,
                judge="standard",
                answer=told,
                facts=tuple(Fact(any=(each,)) for each in probe.expect),
                evidence=("fact",),
            ),
        ),
    )
    pick = Pick(category="basic_retention", scenario=scenario)
    (case,) = compile_cases(PRESETS["quick"], [pick], seed=DEFAULT_SEED, language=language)
    return case


def _place(case: Case, folder: Path) -> AgentBundle:
    content = encode_practice([case.sample])
    digest = hashlib.sha256(content).hexdigest()
    draft = folder / f".remember-{secrets.token_hex(6)}"
    draft.write_bytes(content)
    draft.replace(folder / digest)
    return AgentBundle(name="can-remember", path=folder / digest, sha256=digest)


def _telling_words(said: str) -> tuple[str, ...]:
    """Numbers, names, and words of some length; of a sentence without any, all of it."""
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", said)
    telling = [
        word
        for position, word in enumerate(words)
        if word[0].isdigit() or (position and word[0].isupper() and len(word) > 1) or len(word) >= FEWEST_LETTERS
    ]
    return tuple(dict.fromkeys(telling)) or ((said,) if words else ())
