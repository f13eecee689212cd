from pathlib import Path

import pytest

from aml.toolkit.agents import as_agent, from_memory
from aml.toolkit.longmemeval.errors import OptionInvalid
from aml.toolkit.longmemeval.ground import prepare
from aml.toolkit.longmemeval.options import LongMemEvalOptions
from aml.toolkit.suite_run.platform_access import RemoteStack

AGENT = as_agent(lambda message: message)
MEMORY = from_memory(lambda *_: None, lambda *_: [])


def test_the_release_follows_from_the_system_and_the_judge_s_options(tmp_path: Path) -> None:
    assert prepare(tmp_path, [AGENT, MEMORY], LongMemEvalOptions(), None).release_ids == ("toolkit", "toolkit-memory")
    assert prepare(tmp_path, [AGENT], LongMemEvalOptions(), "my-own").release_ids == ("my-own",)
    ground = prepare(tmp_path, [AGENT], LongMemEvalOptions(max_judge_retries=0), None)
    (release_id,) = ground.release_ids
    assert release_id.startswith("toolkit-openai-lme-")
    assert ground.derived[release_id] == tmp_path / "releases" / release_id
    assert ground.releases[release_id].release.judge.readings == 1


def test_another_judge_than_the_release_s_needs_a_release_that_is_known_here(tmp_path: Path) -> None:
    options = LongMemEvalOptions(judge_temperature=0.3)
    with pytest.raises(OptionInvalid, match="my-own"):
        prepare(tmp_path, [AGENT], options, "my-own")
    with pytest.raises(OptionInvalid, match="without one"):
        prepare(tmp_path, [MEMORY], options, None)
    remote = RemoteStack(url="http://localhost:1", operator_key="k", datasets=tmp_path)
    with pytest.raises(OptionInvalid, match="operator"):
        prepare(remote, [AGENT], options, None)
