from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aml.runtime.participant.address_guard import check_url, is_public
from aml.runtime.participant.errors import AddressRefused

CLOSED = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
172.31.255.255 192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
:: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8 2002:7f00:1:: 2002:808:808::
64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 2001::1 2001:0:808:808:: 2001:db8::1 2001:20::1 3fff::1 5f00::1 100::1 fc00::1
fd00::1 fe80::1 febf::1 fec0::1 ff02::1 ff0e::1 2620:4f:8000::1 1000::1 4000::1
""".split()  # noqa: SIM905

OPEN = """
1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1 11.0.0.1 223.255.255.254 2606:4700::1 2a00::1
""".split()  # noqa: SIM905


@pytest.mark.parametrize("text", CLOSED)
def test_closed_addresses(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", OPEN)
def test_open_addresses(text: str) -> None:
    assert is_public(ip_address(text))


@given(st.ip_addresses(v=4), st.sampled_from(["::ffff:0:0", "::", "::ffff:0:0:0", "64:ff9b::"]))
def test_no_ipv6_form_that_ends_in_an_ipv4_address_is_public(inner: IPv4Address, prefix: str) -> None:
    assert not is_public(IPv6Address(int(IPv6Address(prefix)) | int(inner)))


@given(st.ip_addresses())
def test_never_more_open_than_the_standard_library(address: IPv4Address | IPv6Address) -> None:
    assert address.is_global or not is_public(address)


@pytest.mark.parametrize("address", CLOSED)
def test_closed_addresses_in_a_url(address: str) -> None:
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused):
        check_url(f"https://{host}/add", schemes=("https",), allow_private=False)


@pytest.mark.parametrize(
    "url",
    [
        "http://2130706433/", "http://017700000001/", "http://0177.0.0.1/", "http://0x7f000001/", "http://0x7f.0.0.1/",
        "http://127.1/", "http://127.0.1/", "http://1/", "http://0/", "http://8.8.8.08/", "http://8.8.8/", "http://8.8.8.8./",
        "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://１27.0.0.1/", "http://exämple.org/", "http://0x/", "http://a.0x7f/",
    ],
)  # fmt: skip
@pytest.mark.parametrize("allow_private", [False, True])
def test_numbers_in_another_spelling_are_refused_whatever_they_mean(url: str, allow_private: bool) -> None:
    with pytest.raises(AddressRefused):
        check_url(url, schemes=("http",), allow_private=allow_private)


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org", "//example.org/", "http:/example.org", "http:///add", "http://", "http://:80/", "http://a..b/",
        "http://user:pass@example.org/", "http://user@example.org/", "http://@example.org/", "http://good.org\\@evil.org/",
        "http://good.org@evil.org/", "http://example.org\r\nX: y/", "http://example.org/a\r\nX: y", "http://example.org/a b",
        "http://example.org/\x00", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[::1", "http://[]/",
        "http://[1.2.3.4]/", "http://example.org:0/", "http://example.org:65536/", "http://example.org:8o/",
        "http://example.org:/x", "http://-a.org/", "http://a-.org/", "http://exa%6dple.org/", "http://a.org/#x",
        "ftp://example.org/", "file:///etc/passwd", "gopher://a.org/", "javascript://a.org/", "http://" + "a" * 64 + ".org/",
        "http://" + "a." * 130 + "org/", "http://a.org:1:2/", "http://example.org./",
    ],
)  # fmt: skip
@pytest.mark.parametrize("allow_private", [False, True])
def test_malformed_urls_are_refused(url: str, allow_private: bool) -> None:
    with pytest.raises(AddressRefused) as error:
        check_url(url, schemes=("http", "https"), allow_private=allow_private)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "a.localhost", "printer.local", "metadata.google.internal"])
def test_local_names_need_allow_private(host: str) -> None:
    with pytest.raises(AddressRefused):
        check_url(f"http://{host}/", schemes=("http",), allow_private=False)
    assert check_url(f"http://{host}/", schemes=("http",), allow_private=True).host == host.lower()


def test_a_good_url_is_taken_apart() -> None:
    named = check_url("HTTPS://Memory.Example.org:8443/v1/add?x=1", schemes=("https",), allow_private=False)
    literal = check_url("https://[2606:4700::1]/add", schemes=("https",), allow_private=False)

    assert (named.url, named.host, named.port) == (
        "https://memory.example.org:8443/v1/add?x=1", "memory.example.org", 8443,
    )  # fmt: skip
    assert named.address is None
    assert (literal.address, literal.port) == (IPv6Address("2606:4700::1"), 443)


def test_only_the_allowed_schemes_and_ports() -> None:
    with pytest.raises(AddressRefused, match="use https"):
        check_url("http://example.org/", schemes=("https",), allow_private=False)
    with pytest.raises(AddressRefused, match="port 22"):
        check_url("https://example.org:22/", schemes=("https",), allow_private=False, ports=(443, 8443))
    assert check_url("https://example.org/", schemes=("https",), allow_private=False, ports=(443,)).port == 443


def test_a_password_in_a_url_is_not_repeated() -> None:
    with pytest.raises(AddressRefused) as error:
        check_url("http://user:hunter2@example.org/", schemes=("http",), allow_private=False)
    assert "hunter2" not in str(error.value)
