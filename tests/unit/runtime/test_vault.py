"""The vault gives a participant's key back to whoever has the key-encryption key, and to nobody else."""

from pathlib import Path

import obstore
import obstore.exceptions
import pytest
from obstore.store import LocalStore, MemoryStore

from aml.runtime.evidence import EvidenceUnavailable
from aml.runtime.key_encryption import KeyEncryptionKey
from aml.runtime.secret import Secret
from aml.runtime.vault import KeyDeposit, SecretUnavailable, Vault

KEK = KeyEncryptionKey(bytes(range(32)))
KEY = "sk-live-0123456789"


async def test_a_sealed_secret_opens_again() -> None:
    vault = Vault(MemoryStore(), KEK)
    secret_id = await vault.seal(Secret(KEY))
    assert (await vault.open(secret_id)).reveal() == KEY


async def test_neither_the_id_nor_the_disk_shows_it(tmp_path: Path) -> None:
    secret_id = await Vault(LocalStore(prefix=tmp_path), KEK).seal(Secret(KEY))
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert written
    assert KEY.encode() not in written
    assert KEY not in secret_id


async def test_sealing_twice_gives_two_unlike_objects(tmp_path: Path) -> None:
    vault = Vault(LocalStore(prefix=tmp_path), KEK)
    ids = {await vault.seal(Secret(KEY)), await vault.seal(Secret(KEY))}
    contents = {path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(ids) == len(contents) == 2


async def test_an_unknown_id_is_unavailable() -> None:
    with pytest.raises(SecretUnavailable, match="its owner must enter it again"):
        await Vault(MemoryStore(), KEK).open("0123456789abcdef0123")


async def test_another_key_encryption_key_opens_nothing() -> None:
    store = MemoryStore()
    secret_id = await Vault(store, KEK).seal(Secret(KEY))
    with pytest.raises(SecretUnavailable) as caught:
        await Vault(store, KeyEncryptionKey(bytes(32))).open(secret_id)
    assert KEY not in str(caught.value)


async def test_a_secret_put_under_another_id_does_not_open(tmp_path: Path) -> None:
    vault = Vault(LocalStore(prefix=tmp_path), KEK)
    one, other = await vault.seal(Secret("one")), await vault.seal(Secret("other"))
    (tmp_path / "vault" / one).write_bytes((tmp_path / "vault" / other).read_bytes())
    with pytest.raises(SecretUnavailable):
        await vault.open(one)


@pytest.mark.parametrize("content", [b"", b"short", b"\x00" * 64])
async def test_a_damaged_object_is_unavailable(tmp_path: Path, content: bytes) -> None:
    vault = Vault(LocalStore(prefix=tmp_path), KEK)
    secret_id = await vault.seal(Secret(KEY))
    (tmp_path / "vault" / secret_id).write_bytes(content)
    with pytest.raises(SecretUnavailable):
        await vault.open(secret_id)


async def test_a_store_that_is_away_is_no_lost_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a short outage would tell a participant to enter the key again, and park the unit."""
    vault = Vault(MemoryStore(), KEK)
    secret_id = await vault.seal(Secret(KEY))

    async def fail(*_: object) -> None:
        raise obstore.exceptions.GenericError("connection refused")

    monkeypatch.setattr(obstore, "get_async", fail)
    with pytest.raises(EvidenceUnavailable):
        await vault.open(secret_id)


async def test_what_was_deposited_is_opened_by_the_vault_until_it_is_destroyed() -> None:
    store = MemoryStore()
    deposit, vault = KeyDeposit(store, KEK), Vault(store, KEK)
    secret_id, other_id = await deposit.seal(Secret(KEY)), await deposit.seal(Secret("another-key"))
    assert (await vault.open(secret_id)).reveal() == KEY

    await deposit.destroy(secret_id)
    await deposit.destroy(secret_id)

    with pytest.raises(SecretUnavailable):
        await vault.open(secret_id)
    assert (await vault.open(other_id)).reveal() == "another-key"
