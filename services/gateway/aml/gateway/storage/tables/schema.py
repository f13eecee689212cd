"""The schema that all of the gateway's tables stand in, and the two column types that SQLAlchemy has not got as we need them."""

from typing import Any

from sqlalchemy import DateTime, MetaData
from sqlalchemy.types import UserDefinedType

metadata = MetaData(schema="gateway")

MOMENT = DateTime(timezone=True)


class TransactionId(UserDefinedType[int]):
    """Postgres's 64-bit transaction id."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "xid8"
