"""What anybody may read of the cycles."""

import httpx


async def test_cycles_are_public(api: httpx.AsyncClient) -> None:
    listed = (await api.get("/cycles")).json()["cycles"]
    one = await api.get(f"/cycles/{listed[0]['cycle']['cycle_id']}")

    assert one.json() == listed[0]
    assert one.json()["cycle"]["timezone"] == "UTC+8"
    assert (await api.get("/cycles/none")).status_code == 404
