"""Pages of a list: the two query parameters that every list takes."""

from typing import Annotated

from litestar.params import QueryParameter

Limit = Annotated[int, QueryParameter(ge=1, le=500)]
Offset = Annotated[int, QueryParameter(ge=0, le=10_000_000)]
