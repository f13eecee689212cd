"""Certificates are checked for the name in the URL, and a TLS fault is called one."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from tests.integration.participant_client.client_calls import SEARCH, a_client, failing, to_loopback
from tests.integration.participant_client.served_participant import Participant, answers, serving

from aml.contracts.release import RetryPolicy
from aml.runtime.participant import TlsFailed


def a_certificate(name: str, folder: Path) -> tuple[Path, Path]:
    """Self-signed, for `name`: the certificate's file and its key's."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return folder / "cert.pem", folder / "key.pem"


async def test_tls_to_a_plain_server_is_a_tls_error() -> None:
    async with serving(Participant(answers({}))) as base:
        error = await failing(base.replace("http", "https"), schemes=("https",), policy=RetryPolicy(attempts=2))
    assert isinstance(error, TlsFailed)
    assert (error.unscored_reason, len(error.attempts)) == ("transport", 2)


async def test_certificates_are_checked_for_the_name_in_the_url(tmp_path: Path) -> None:
    certificate, key = a_certificate("memory.example", tmp_path)
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(certificate, key)
    names: list[str | None] = []
    server_side.sni_callback = lambda _, name, __: names.append(name)
    trusting = ssl.create_default_context(cafile=str(certificate))
    common: dict[str, Any] = {"schemes": ("https",), "lookup": to_loopback}

    participant = Participant(answers({"data": []}))
    async with serving(participant, server_side) as base:
        port = base.rpartition(":")[2]
        async with a_client(f"https://memory.example:{port}", ssl_context=trusting, **common) as client:
            await client.search(SEARCH)
        unknown = await failing(f"https://memory.example:{port}", **common)
        other = await failing(f"https://other.example:{port}", ssl_context=trusting, **common)

    assert names[0] == "memory.example"
    assert [headers["Host"] for headers in participant.headers] == [f"memory.example:{port}"]
    for error in (unknown, other):
        assert isinstance(error, TlsFailed)
        assert len(error.attempts) == 1, "a wrong certificate stays wrong"
