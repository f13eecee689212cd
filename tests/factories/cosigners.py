"""Witnesses with keys that are the same in every run, and notes that they cosigned."""

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from aml.rules.checkpoint import Checkpoint, VerifierKey, checkpoint_text, parse_note, sign_note
from aml.rules.cosignature import WitnessKey, cosign

ORIGIN = "log.example.org/aml"


def private_key(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def log_key(origin: str = ORIGIN, secret: str = "log") -> VerifierKey:
    return VerifierKey(name=origin, public_key=private_key(secret).public_key().public_bytes_raw())


def witness_key(name: str) -> WitnessKey:
    return WitnessKey(name=name, public_key=private_key(name).public_key().public_bytes_raw())


def a_note(size: int, root: bytes, *, origin: str = ORIGIN, secret: str = "log") -> str:
    text = checkpoint_text(Checkpoint(origin=origin, size=size, root=root))
    return sign_note(text, log_key(origin, secret), private_key(secret).sign)


def cosigned(note: str, *names: str, time_s: int = 1_780_000_000, secret: str | None = None) -> str:
    """`secret`: the key that really signs, where it is not the witness's own."""
    text = parse_note(note).text
    lines = [cosign(text, witness_key(name), private_key(secret or name).sign, time_s=time_s) for name in names]
    return note + "".join(f"{line}\n" for line in lines)


def a_policy(*names: str, quorum: str = "any", url: str = "", origin: str = ORIGIN) -> str:
    """`quorum`: `any`, `all`, a number, or `none`."""
    lines = [f"log {log_key(origin)}", *(f"witness {name} {witness_key(name)} {url}" for name in names)]
    if quorum == "none":
        return "\n".join([*lines, "quorum none", ""])
    return "\n".join([*lines, f"group enough {quorum} {' '.join(names)}", "quorum enough", ""])
