"""Our OpenAPI document as rows for the reference page. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

METHODS = ("get", "post", "put", "patch", "delete")


class Field(Struct, frozen=True, kw_only=True):
    name: str
    type: str
    """Words such as `string[]` or `Job`."""
    refers: tuple[str, ...]
    """Names of the schemas in it."""
    required: bool
    about: str


class Answer(Struct, frozen=True, kw_only=True):
    status: str
    about: str
    refers: tuple[str, ...]


class Operation(Struct, frozen=True, kw_only=True):
    anchor: str
    method: str
    path: str
    summary: str
    needs_key: bool
    parameters: tuple[Field, ...]
    body: tuple[str, ...]
    answers: tuple[Answer, ...]


class Group(Struct, frozen=True, kw_only=True):
    name: str
    """The path's first word after the version."""
    operations: tuple[Operation, ...]


class Schema(Struct, frozen=True, kw_only=True):
    name: str
    fields: tuple[Field, ...]
    about: str


class Reference(Struct, frozen=True, kw_only=True):
    groups: tuple[Group, ...]
    schemas: tuple[Schema, ...]


def reference_of(document: Mapping[str, Any]) -> Reference:
    groups: dict[str, list[Operation]] = {}
    for path, item in document.get("paths", {}).items():
        steps = [step for step in path.split("/") if step]
        name = steps[2] if len(steps) > 2 else (steps[0] if steps else "")
        for method in METHODS:
            if method in item:
                groups.setdefault(name, []).append(_operation(method, path, item[method], item))
    shapes = document.get("components", {}).get("schemas", {})
    return Reference(
        groups=tuple(Group(name=name, operations=tuple(found)) for name, found in groups.items()),
        schemas=tuple(_schema(name, shapes[name]) for name in sorted(shapes)),
    )


def _operation(method: str, path: str, operation: Mapping[str, Any], item: Mapping[str, Any]) -> Operation:
    answers = operation.get("responses", {})
    return Operation(
        anchor=f"{method}-{path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}",
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        needs_key="401" in answers,
        parameters=tuple(
            Field(
                name=each["name"],
                type=type_of(each.get("schema", {})),
                refers=tuple(_references(each.get("schema", {}))),
                required=each.get("required", False),
                about=each.get("description") or "",
            )
            for each in (*item.get("parameters", ()), *operation.get("parameters", ()))
        ),
        body=tuple(dict.fromkeys(_references(operation.get("requestBody", {})))),
        answers=tuple(
            Answer(
                status=status,
                about=answer.get("description", ""),
                refers=tuple(dict.fromkeys(_references(answer.get("content", {})))),
            )
            for status, answer in sorted(answers.items())
        ),
    )


def _schema(name: str, shape: Mapping[str, Any]) -> Schema:
    needed = set(shape.get("required", ()))
    return Schema(
        name=name,
        about=shape.get("description", "") or "",
        fields=tuple(
            Field(
                name=field,
                type=type_of(inner),
                refers=tuple(dict.fromkeys(_references(inner))),
                required=field in needed,
                about=inner.get("description", "") or "",
            )
            for field, inner in shape.get("properties", {}).items()
        ),
    )


def type_of(shape: Mapping[str, Any]) -> str:
    """In words: `string`, `integer | null`, `Job[]`, `"smoke" | "full"`."""
    if "$ref" in shape:
        return _name(shape["$ref"])
    if "const" in shape:
        return f'"{shape["const"]}"'
    if "enum" in shape:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in shape["enum"])
    for several in ("oneOf", "anyOf", "allOf"):
        if several in shape:
            return " | ".join(dict.fromkeys(type_of(each) for each in shape[several]))
    kind = shape.get("type", "any")
    if isinstance(kind, list):
        return " | ".join(kind)
    if kind == "array":
        inner = type_of(shape.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    return f"{kind} ({shape['format']})" if "format" in shape else str(kind)


def _references(shape: object) -> Iterator[str]:
    if isinstance(shape, Mapping):
        for key, inner in shape.items():
            if key == "$ref":
                yield _name(inner)
            elif key not in ("example", "examples"):
                yield from _references(inner)
    elif isinstance(shape, list):
        for inner in shape:
            yield from _references(inner)


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]
