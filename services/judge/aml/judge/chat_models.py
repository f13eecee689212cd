"""The chat models of the releases in use, one client a release and role."""

from collections.abc import Callable
from random import Random
from typing import Literal

from aml.contracts.release import ModelSettings
from aml.runtime.clock import Clock
from aml.runtime.release_folder import LoadedRelease

from .errors import ModelRefused
from .model_calls.completion import ChatModel
from .model_calls.openai_client import OpenAiEndpoint, OpenAiModel

Role = Literal["model", "judge"]


class ChatModels:
    def __init__(self, endpoint: OpenAiEndpoint | None, clock: Clock, random: Callable[[], Random] = Random) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._random = random
        self._models: dict[tuple[str, Role], OpenAiModel] = {}

    def answering(self, release: LoadedRelease) -> ChatModel | None:
        """None for a release that answers without a model. Raises `ModelRefused` where no endpoint is configured."""
        return self._model(release, release.release.answer, "model")

    def judging(self, release: LoadedRelease) -> ChatModel | None:
        return self._model(release, release.release.judge, "judge")

    async def close(self) -> None:
        for model in self._models.values():
            await model.close()

    def _model(self, release: LoadedRelease, settings: ModelSettings, role: Role) -> ChatModel | None:
        if settings.kind != "openai":
            return None
        if self._endpoint is None:
            raise ModelRefused(
                role,
                f"release {release.release.release_id} calls a model, and this judge has no endpoint: set "
                "AML_OPENAI_BASE_URL and AML_OPENAI_API_KEYS_FILE",
            )
        key = (release.digest, role)
        if key not in self._models:
            self._models[key] = OpenAiModel(self._endpoint, settings, role, clock=self._clock, jitter=self._random())
        return self._models[key]
