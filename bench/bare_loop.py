"""The floor: the same Add and Search calls (and model calls) from one asyncio loop that keeps nothing.

`python -m bench.bare_loop ADAPTER BUNDLE PARTICIPANT [MODEL]` prints one JSON line. Samples in parallel with their chunks in
order, then the questions 32 at a time; answers are quoted and scored by the practice rules in the same process, or asked of
the model endpoint over plain aiohttp.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import uvloop

from aml.contracts.release import Chunking
from aml.ingest.benchmarks import read_samples
from aml.ingest.plan_sample import PlannedSample, plan_sample
from aml.judge.answerers.extractive import answer_extractively
from aml.judge.scoring.score import score_by_rule
from aml.retrieval.search_question import search_request
from aml.runtime.release_folder import bundled_releases, load_release

CONCURRENCY = 32


def load(adapter: str, bundle: Path) -> list[PlannedSample]:
    planned = []
    for sample in read_samples(adapter, bundle):
        chosen = frozenset(question.question_id for question in sample.questions)
        one = plan_sample(sample, job_id="bare", dataset="bench", chosen=chosen, chunking=Chunking())
        if one is not None:
            planned.append(one)
    return planned


async def run(adapter: str, bundle: Path, participant: str, model: str | None) -> dict[str, Any]:
    release = load_release(bundled_releases()["practice"]).release
    samples = load(adapter, bundle)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def post(url: str, body: bytes) -> Any:
            async with session.post(url, data=body, headers={"content-type": "application/json"}) as reply:
                return msgspec.json.decode(await reply.read())

        async def ask(text: str) -> str:
            body = {"model": "stub", "temperature": 0, "messages": [{"role": "user", "content": text}]}
            reply = await post(f"{model}/v1/chat/completions", msgspec.json.encode(body))
            return str(reply["choices"][0]["message"]["content"])

        async def add(sample: PlannedSample) -> None:
            for chunk in sample.chunks.chunks:
                await post(f"{participant}/add", msgspec.json.encode(chunk.request))

        async def question(sample: PlannedSample, index: int) -> int:
            asked, gold = sample.questions.questions[index], sample.gold.gold[index]
            body = msgspec.json.encode(search_request(asked, sample.user_id, 100))
            memories = [item["content"] for item in (await post(f"{participant}/search", body))["data"]]
            if model is None:
                text = answer_extractively(asked.text, memories, asked.options)
                return score_by_rule(release.scoring[asked.question_type], asked, gold, text).score
            text = await ask("\n".join((*memories, asked.text)))
            return 1_000_000 if "correct" in await ask(f"verdict? {asked.text} {gold.answers} {text}") else 0

        wall, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(add(sample) for sample in samples))
        work = iter([(sample, i) for sample in samples for i in range(len(sample.questions.units))])
        scores: list[int] = []

        async def worker() -> None:
            for sample, index in work:
                scores.append(await question(sample, index))

        await asyncio.gather(*(worker() for _ in range(CONCURRENCY)))
        return {
            "questions": len(scores),
            "calls": len(scores) + sum(len(sample.chunks.chunks) for sample in samples),
            "wall_s": time.perf_counter() - wall,
            "cpu_s": time.process_time() - cpu,
        }


if __name__ == "__main__":
    kind, path, url, *rest = sys.argv[1:]
    print(json.dumps(uvloop.run(run(kind, Path(path), url, rest[0] if rest else None))))
