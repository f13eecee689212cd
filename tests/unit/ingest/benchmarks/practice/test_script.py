import re

import pytest

from aml.contracts.vocabulary import Language
from aml.ingest.benchmarks.practice.script import Script, parse_beat, read_script

SCRIPTS = [read_script("en"), read_script("zh")]


def test_a_beat_s_lines_say_who_speaks_and_what_is_evidence() -> None:
    asked, told = parse_beat("\n  U: How: are you?\n  A*: Fine.\n")
    assert (asked.role, asked.text, asked.evidence) == ("user", "How: are you?", False)
    assert (told.role, told.text, told.evidence) == ("assistant", "Fine.", True)


@pytest.mark.parametrize("beat", ["hello", "B: hello", "U hello"])
def test_a_line_without_a_speaker_is_refused(beat: str) -> None:
    with pytest.raises(ValueError, match="no speaker"):
        parse_beat(beat)


@pytest.mark.parametrize("script", SCRIPTS, ids=["en", "zh"])
def test_every_stage_of_an_answerable_topic_marks_evidence_and_no_other_line_does(script: Script) -> None:
    for topic in script.topics:
        for stage in topic.stages:
            for variant in stage:
                marked = any(line.evidence for line in parse_beat(variant))
                assert marked == (topic.capability != "abstention"), (topic.key, variant)
        assert not any(line.evidence for noise in topic.noise for line in parse_beat(noise)), topic.key


@pytest.mark.parametrize("script", SCRIPTS, ids=["en", "zh"])
def test_topics_have_what_their_capability_needs(script: Script) -> None:
    for topic in script.topics:
        assert bool(topic.answers or topic.answer) == (topic.capability != "abstention"), topic.key
        assert not (topic.answers and topic.answer), topic.key
        assert len(topic.stages) == 2 or topic.capability not in ("multi_hop", "knowledge_update"), topic.key
        text = "".join((*topic.noise, *(variant for stage in topic.stages for variant in stage)))
        slots = set(re.findall(r"\{(\w+)\}", text))
        assert slots <= {"v", "v2", "w", "V", "p1", "p2", "date"}, topic.key
        assert len(topic.values) >= 3 or not slots & {"v", "v2", "w", "V"}, topic.key
        assert len(set(topic.values)) == len(topic.values)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_keys_and_names_are_unique(language: Language) -> None:
    script = read_script(language)
    assert len({topic.key for topic in script.topics}) == len(script.topics)
    people = [*script.names, *(persona.name for persona in script.personas)]
    assert len(set(people)) == len(people)
