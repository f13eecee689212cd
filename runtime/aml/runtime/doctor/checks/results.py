"""The list that Search returns: how long, in which order, empty, and for a question with options."""

from itertools import pairwise
from typing import Final

from aml.runtime.doctor.check import Check, Finding, failed, passed, warned
from aml.runtime.doctor.phrases import Told
from aml.runtime.doctor.visit import Visit, text_of

_FACTS: Final = 8


async def _top_k(visit: Visit) -> Finding:
    user, facts = visit.user("top-k"), [visit.told("top-k", number) for number in range(_FACTS)]
    await visit.add(user, *(fact.text for fact in facts))
    query = " ".join(fact.text for fact in facts)
    counts = [len((await visit.search(user, query, top_k=top_k)).memories) for top_k in (1, 5, 100)]
    return passed(f"{counts[0]}, {counts[1]} and {counts[2]} items for 1, 5 and 100")


async def _order(visit: Visit) -> Finding:
    user, facts = visit.user("order"), [visit.told("order", number) for number in range(_FACTS)]
    await visit.add(user, *(fact.text for fact in facts))
    wanted = facts[5]
    once, again = await visit.search(user, wanted.text), await visit.search(user, wanted.text)
    first, second = ([(memory.id, memory.content) for memory in call.memories] for call in (once, again))
    if [content for _, content in first] != [content for _, content in second]:
        return warned("order_changes", "the same Search twice returned another order", about=again)
    if first != second:
        return warned("ids_change", "the same memory came back under another id", about=again)
    if len({identity for identity, _ in first}) < len(first):
        return warned("ids_repeat", "one id stands for several memories of one list", about=once)
    scores = [memory.score for memory in once.memories if memory.score is not None]
    if any(later > earlier for earlier, later in pairwise(scores)):
        return warned("scores_rise", "scores grow down the list, though the first item should be the best", about=once)
    texts = [text_of(memory.content) for memory in once.memories]
    if (place := _place(wanted, facts, texts)) > 3:
        return warned("far_down", f"the sentence that was asked for word by word came as number {place}", about=once)
    return passed("the best first, and the same list twice")


def _place(wanted: Told, facts: list[Told], texts: list[str]) -> int:
    """From 1, among this user's own facts; 0 where it is not found, which is another check's affair."""
    own = [text for text in texts if any(fact.name in text for fact in facts)]
    return next((place for place, text in enumerate(own, start=1) if wanted.name in text), 0)


async def _empty_result(visit: Visit) -> Finding:
    found = await visit.search(visit.user("never-written"), "What did I say about the lighthouse?")
    texts = [text_of(memory.content) for memory in found.memories]
    if any(name in text for text in texts for name in visit.written):
        return failed("leak", "a user who wrote nothing was given what others wrote", about=found)
    if texts:
        return failed("not_empty", "a user who wrote nothing was given memories that nobody wrote", about=found)
    return passed("data is an empty array")


async def _options(visit: Visit) -> Finding:
    user, fact = visit.user("options"), visit.told("options", 6)
    await visit.add(user, fact.text)
    options = (f"A. {fact.name}", "B. Aunt Celeste", "C. The man from the ferry", "D. 以上都不是")
    found = await visit.search(user, fact.query, options=options)
    if not found.holds(fact.name):
        return failed("lost", "with options beside the query, the memory was not found", about=found)
    if any(text_of(memory.content).strip() in options for memory in found.memories):
        return failed(
            "smuggled", "an option of the question came back as a memory", mend="return only memories", about=found
        )
    return passed("a question with options is searched like any other")


TOP_K: Final = Check(
    name="top_k",
    title="At most top_k items, for 1, 5 and 100",
    why="one item too many is a contract error: nothing is cut off on your behalf",
    mend="cut the list at the request's top_k",
    run=_top_k,
)
ORDER: Final = Check(
    name="order",
    title="The best first, and the same each time",
    why="the answering model reads from the top until its input is full, and an audit repeats calls",
    mend="sort by falling relevance with a fixed order for ties; keep one id for one memory; let higher scores be better",
    run=_order,
    informs=True,
)
EMPTY_RESULT: Final = Check(
    name="empty_result",
    title="Nothing found is an empty list",
    why="an unknown user or a question without an answer is no error",
    mend='answer 200 with {"data": []}: no 404, no null, no invented item',
    run=_empty_result,
    needs=("search", "isolation"),
)
OPTIONS: Final = Check(
    name="options",
    title="A question with options",
    why="multiple-choice questions send their options beside the query",
    mend="accept the optional field options (an array of strings); using it for the search is up to you",
    run=_options,
)
