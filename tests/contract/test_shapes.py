"""What every struct of `aml.contracts` promises about itself."""

import importlib
import pkgutil
import re
import types
import typing
from collections.abc import Iterator

import msgspec
import pytest

import aml.contracts
from aml.contracts.envelope import Fact
from aml.toolkit.event_flow import event_types

IGNORES_UNKNOWN_FIELDS = {
    "AddResponse": "a participant may send more than the contract asks for",
    "Memory": "a participant may send more than the contract asks for",
    "SearchResponse": "a participant may send more than the contract asks for",
}
HOLDS_A_DICT = {
    ("BundleCounts", "categories"): "keyed by the benchmark's own category names; never part of an event",
    ("Release", "scoring"): "a table of `release.toml`, keyed by question type; never part of an event",
}
ROOTS = {"Fact", "JobFact", "UnitFact"}


def _structs() -> Iterator[type[msgspec.Struct]]:
    for module_info in pkgutil.iter_modules(aml.contracts.__path__):
        module = importlib.import_module(f"aml.contracts.{module_info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == module.__name__:
                yield value


STRUCTS = sorted(_structs(), key=lambda struct: (struct.__module__, struct.__name__))


def _options(struct: type[msgspec.Struct]) -> msgspec.structs.StructConfig:
    return struct.__struct_config__


def _mutable_parts(hint: object) -> Iterator[object]:
    origin = typing.get_origin(hint)
    if hint in (list, set, bytearray, dict) or origin in (list, set, dict):
        yield hint
    if origin is typing.Annotated:
        yield from _mutable_parts(typing.get_args(hint)[0])
    elif origin in (tuple, frozenset, typing.Union, types.UnionType):
        for part in typing.get_args(hint):
            yield from _mutable_parts(part)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_struct_says_its_options(struct: type[msgspec.Struct]) -> None:
    options = _options(struct)
    assert options.frozen
    assert options.forbid_unknown_fields is (struct.__name__ not in IGNORES_UNKNOWN_FIELDS)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_struct_is_built_by_keywords(struct: type[msgspec.Struct]) -> None:
    if msgspec.structs.fields(struct):
        with pytest.raises(TypeError, match="positional"):
            struct(*(None for _ in msgspec.structs.fields(struct)))


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_frozen_means_deep(struct: type[msgspec.Struct]) -> None:
    hints = typing.get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        found = list(_mutable_parts(hints[field.name]))
        if (struct.__name__, field.name) not in HOLDS_A_DICT:
            assert not found, f"{struct.__name__}.{field.name} can be changed in place: {found}"


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_facts_are_the_union_and_the_union_is_facts(struct: type[msgspec.Struct]) -> None:
    is_event = issubclass(struct, Fact) and struct.__name__ not in ROOTS
    assert is_event is (struct in event_types())


@pytest.mark.parametrize("event_type", event_types(), ids=lambda event_type: event_type.__name__)
def test_an_event_is_tagged_with_its_name_and_a_version(event_type: type[Fact]) -> None:
    options = _options(event_type)
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", event_type.__name__).lower()
    assert options.tag_field == "type"
    assert re.fullmatch(rf"{snake}\.v[1-9][0-9]*", str(options.tag))


def test_no_two_events_share_a_tag() -> None:
    tags = [event_type.__struct_config__.tag for event_type in event_types()]
    assert len(tags) == len(set(tags))


def test_the_exceptions_are_still_needed() -> None:
    by_name = {struct.__name__: struct for struct in STRUCTS}
    assert by_name.keys() >= IGNORES_UNKNOWN_FIELDS.keys()
    for name, field in HOLDS_A_DICT:
        hints = typing.get_type_hints(by_name[name], include_extras=True)
        assert list(_mutable_parts(hints[field]))


@pytest.mark.parametrize("hint", [list[int], tuple[list[int], ...], typing.Annotated[set[str], "x"], dict | None])
def test_the_depth_check_sees_through_wrappers(hint: object) -> None:
    assert list(_mutable_parts(hint))


@pytest.mark.parametrize("hint", [tuple[str, ...], str | None, typing.Literal["list"]])
def test_the_depth_check_passes_what_is_deeply_frozen(hint: object) -> None:
    assert not list(_mutable_parts(hint))
