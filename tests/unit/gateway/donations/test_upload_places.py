"""Who may send a package now."""

import contextlib

import pytest

from aml.gateway.donations.upload_places import UploadPlaces
from aml.gateway.errors import MustWait, Unavailable


def test_one_address_cannot_hold_all_places() -> None:
    places = UploadPlaces(places=3, of_address=2)

    with contextlib.ExitStack() as held:
        held.enter_context(places.hold(b"a"))
        held.enter_context(places.hold(b"a"))
        with pytest.raises(MustWait, match="your address"):
            held.enter_context(places.hold(b"a"))
        held.enter_context(places.hold(b"b"))
        with pytest.raises(Unavailable, match="3 packages"):
            held.enter_context(places.hold(b"c"))


def test_a_place_is_free_again_however_the_upload_ended() -> None:
    places = UploadPlaces(places=1, of_address=1)

    with pytest.raises(ZeroDivisionError), places.hold(b"a"):
        raise ZeroDivisionError

    with places.hold(b"a"):
        pass
