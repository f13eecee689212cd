"""What a golden file proves: bytes that lie in somebody's ledger still read as the same fact, and write as the same bytes."""

import msgspec


def golden_problem(tag: str, data: bytes, decoder: msgspec.json.Decoder) -> str | None:
    """None, or why the shape behind `tag` is no longer the one that was published, and what to do."""
    try:
        event = decoder.decode(data)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        return _advice(tag, f"no longer decodes: {error}")
    again = msgspec.json.Encoder(order="sorted").encode(event)
    if again != data:
        return _advice(tag, f"is written differently now:\n  was {data.decode()}\n  now {again.decode()}")
    return None


def _advice(tag: str, problem: str) -> str:
    name, _, version = tag.rpartition(".v")
    return (
        f"a stored {tag} {problem}\n"
        f"Published facts never change. Restore the shape of {tag}, give the new one the tag {name}.v{int(version) + 1}\n"
        f"with a pure upcaster from .v{version}, and add a golden file for it; this one stays under test for ever."
    )
