import errno

import pytest

from aml.toolkit.local.given_servers import GivenServerUnusable, check_given
from aml.toolkit.local.settings import GivenDatabase, GivenNats, StackSettings


def settings(nats: str | None = None, database: str | None = None) -> StackSettings:
    return StackSettings(nats=GivenNats(url=nats), database=GivenDatabase(url=database))


def refused(*_: object) -> None:
    raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused")


@pytest.mark.parametrize("url", ["garbage", "http://127.0.0.1:4222", "nats://host:port"])
def test_an_address_of_another_form_names_the_variable(url: str) -> None:
    with pytest.raises(GivenServerUnusable, match=r"^AML_NATS_URL is not of the form nats://HOST:PORT;"):
        check_given(settings(nats=url), refused)


def test_a_server_that_is_not_there_is_found_out_before_anything_starts() -> None:
    with pytest.raises(GivenServerUnusable, match=r"AML_DATABASE_URL names h:5432, .* \(Connection refused\)"):
        check_given(settings(database="postgresql://user@h/aml"), refused)


def test_a_servers_usual_port_is_tried_and_a_password_is_not_shown() -> None:
    tried: list[tuple[str, int]] = []

    check_given(settings(nats="nats://h", database="postgres://u:secret@d:6432/x"), lambda *at: tried.append(at))

    assert tried == [("h", 4222), ("d", 6432)]
    with pytest.raises(GivenServerUnusable) as caught:
        check_given(settings(database="postgres://u:secret@d:6432/x"), refused)
    assert "secret" not in str(caught.value)


def test_nothing_is_tried_where_nothing_is_given() -> None:
    check_given(settings(), refused)


def test_a_socket_folder_is_left_to_the_database_library() -> None:
    check_given(settings(database="postgresql:///aml?host=/var/run/postgresql"), refused)
