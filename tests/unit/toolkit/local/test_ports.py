import random
import socket
from pathlib import Path

import pytest

from aml.toolkit.local import ports
from aml.toolkit.local.ports import HOST, RANGE, NoFreePort, choose_ports, claim_ports, is_free

NAMES = ("nats", "postgres", "gateway")


def a_listener() -> socket.socket:
    listener = socket.socket()
    listener.bind((HOST, 0))
    listener.listen()
    return listener


def test_gives_each_name_its_own_free_port_below_the_outgoing_range() -> None:
    chosen = choose_ports(NAMES, {}, random.Random(1))

    assert len(set(chosen.values())) == len(NAMES)
    assert all(port in RANGE and is_free(port) for port in chosen.values())


def test_remembers_ports_between_starts(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"

    first = claim_ports(NAMES, file, random.Random(2))

    assert claim_ports(NAMES, file, random.Random(3)) == first


def test_a_remembered_port_that_is_taken_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "ports.json"
    with a_listener() as listener:
        taken = listener.getsockname()[1]
        file.write_text(f'{{"nats": {taken}}}')

        chosen = claim_ports(NAMES, file, random.Random(4))

        assert chosen["nats"] != taken
    assert claim_ports(NAMES, file, random.Random(5)) == chosen


def test_an_unreadable_memory_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "ports.json").write_text("{torn")

    assert set(claim_ports(NAMES, tmp_path / "ports.json", random.Random(6))) == set(NAMES)


def test_a_listener_makes_a_port_taken() -> None:
    with a_listener() as listener:
        port = listener.getsockname()[1]
        assert not is_free(port)
    assert is_free(port)


def test_a_full_range_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_listen", lambda port: None)

    with pytest.raises(NoFreePort, match="for nats"):
        choose_ports(NAMES, {}, random.Random(7))
