"""Options made by a constructor, held against their declared types and bounds: msgspec checks these only where it decodes."""

from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from .errors import OptionInvalid


def require_types(options: Struct) -> None:
    """Raises `OptionInvalid` for the first field that is wrong."""
    hints = get_type_hints(type(options), include_extras=True)
    for field in fields(options):
        value, hint = getattr(options, field.name), hints[field.name]
        if get_origin(hint) is Literal and value not in get_args(hint):
            raise OptionInvalid(field.name, f"is {value!r}; give one of {', '.join(get_args(hint))}")
        try:
            msgspec.convert(value, hint)
        except msgspec.ValidationError as error:
            said = str(error)
            raise OptionInvalid(field.name, f"is {value!r}: {said[:1].lower()}{said[1:]}") from None
