"""AsyncAPI 3.0 description of the stream: a channel for each subject, a message for each event version.

FastStream's own generator does not know msgspec structs, and half of the subscribers are plain pull consumers; so it is
made from the same structs, the same subjects and the flow table.
"""

from typing import Any

import msgspec

from aml.contracts.envelope import Fact
from aml.rules.identity import SUBJECT_ROOT, event_name, subject_of

from .event_flow import FLOWS, RECORDER, SERVICES, Service, event_types


def asyncapi() -> dict[str, Any]:
    types = event_types()
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Agent Memory Leaderboard",
            "version": SUBJECT_ROOT.rpartition(".")[2],
            "description": "One JetStream stream; its subjects name facts, and each holds at most one message.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": _channels(types),
        "operations": _operations(types),
        "components": {
            "messages": {
                tag_of(event_type): {"name": tag_of(event_type), "summary": summary_of(event_type), "payload": schema}
                for event_type, schema in zip(types, schemas, strict=True)
            },
            "schemas": components,
        },
    }


def tag_of(event_type: type[Fact]) -> str:
    tag = event_type.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def summary_of(event_type: type[Fact]) -> str:
    """First line of the struct's own docstring; the inherited one says nothing about this event."""
    documentation = vars(event_type).get("__doc__") or ""
    return documentation.strip().partition("\n")[0] or event_type.__name__


def subject_pattern(event_type: type[Fact]) -> str:
    """`aml.v1.job.{job_id}.chunk_added.{unit}`, from `subject_of` itself: structs do not check what they are built from."""
    fields = [field.name for field in msgspec.structs.fields(event_type)]
    return subject_of(event_type(**{name: f"{{{name.removesuffix('_digest')}}}" for name in fields}))  # type: ignore[arg-type]


def _channels(types: tuple[type[Fact], ...]) -> dict[str, Any]:
    channels: dict[str, Any] = {}
    for event_type in types:
        address = subject_pattern(event_type)
        channel = channels.setdefault(
            event_name(event_type), {"address": address, "messages": {}, "parameters": _parameters(address)}
        )
        channel["messages"][tag_of(event_type)] = {"$ref": f"#/components/messages/{tag_of(event_type)}"}
    return channels


def _parameters(address: str) -> dict[str, Any]:
    names = [part for token in address.split(".") for part in token.replace("}-{", "}.{").split(".") if "{" in part]
    return {name.strip("{}"): {"description": "A token: letters, digits, `_` and `-`."} for name in names}


def _operations(types: tuple[type[Fact], ...]) -> dict[str, Any]:
    operations: dict[str, Any] = {}
    for service in SERVICES:
        for event_type in types:
            flow = FLOWS[event_type]
            if service in flow.states:
                operations[f"{service}.states.{tag_of(event_type)}"] = _operation("send", service, event_type)
            if service in flow.acts or service == RECORDER:
                operations[f"{service}.reads.{tag_of(event_type)}"] = _operation("receive", service, event_type)
    return operations


def _operation(action: str, service: Service, event_type: type[Fact]) -> dict[str, Any]:
    channel = f"#/channels/{event_name(event_type)}"
    return {
        "action": action,
        "channel": {"$ref": channel},
        "tags": [{"name": service}],
        "messages": [{"$ref": f"{channel}/messages/{tag_of(event_type)}"}],
    }
