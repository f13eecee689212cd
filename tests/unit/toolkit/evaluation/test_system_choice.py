import pytest

from aml.toolkit.evaluation.errors import WrongUsage
from aml.toolkit.evaluation.system_choice import ExampleSystem, HostedSystem, choose_system


def test_a_base_url_gives_the_three_addresses() -> None:
    system = choose_system("http://127.0.0.1:9001/memory/")

    assert isinstance(system, HostedSystem)
    assert system.endpoints.add_url == "http://127.0.0.1:9001/memory/add"
    assert system.endpoints.search_url == "http://127.0.0.1:9001/memory/search"
    assert system.endpoints.health_url == "http://127.0.0.1:9001/memory/health"
    assert system.label == "127.0.0.1:9001/memory"


def test_an_address_of_its_own_replaces_one() -> None:
    system = choose_system("https://memory.example", add_url="https://write.example/v2/memories")

    assert isinstance(system, HostedSystem)
    assert system.endpoints.add_url == "https://write.example/v2/memories"
    assert system.endpoints.search_url == "https://memory.example/search"


def test_an_example_is_found_by_its_name() -> None:
    assert choose_system("example:bm25s") == ExampleSystem(name="bm25s")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("example:nope", "known are example:fts5, example:bm25s, example:nothing"),
        ("127.0.0.1:9001", "http://HOST:PORT"),
        ("ftp://memory.example", "http://HOST:PORT"),
        ("http://", "http://HOST:PORT"),
        ("http://memory.example:99999", "http://HOST:PORT"),
        ("http://memory.example:0", "name the system's port"),
        ("http://me:secret@memory.example", "use --auth"),
        ("http://memory.example/?a=1", "leave that out"),
    ],
)
def test_a_wrong_system_is_told_what_to_write(text: str, said: str) -> None:
    with pytest.raises(WrongUsage, match="--system: ") as raised:
        choose_system(text)
    assert said in str(raised.value)
    assert "secret" not in str(raised.value)


def test_the_wrong_address_is_named_by_its_option() -> None:
    with pytest.raises(WrongUsage, match="--health-url: 'health'"):
        choose_system("http://memory.example", health_url="health")
    with pytest.raises(WrongUsage, match="--add-url: goes with a base URL"):
        choose_system("example:fts5", add_url="http://memory.example/add")
