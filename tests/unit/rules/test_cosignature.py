import pytest
from tests.factories.cosigners import a_note, cosigned, log_key, private_key, witness_key

from aml.rules.checkpoint import NoteInvalid, open_checkpoint, parse_note
from aml.rules.cosignature import CosignatureInvalid, WitnessKey, cosigned_at, is_of, parse_witness_key

NOTE = a_note(7, bytes(32))
KEY = witness_key("w.example")


def test_a_cosignature_says_when_it_was_made() -> None:
    parsed = parse_note(cosigned(NOTE, "w.example", time_s=1_679_315_147))

    assert [is_of(each, KEY) for each in parsed.signatures] == [False, True]
    assert cosigned_at(parsed.text, parsed.signatures[1], KEY) == 1_679_315_147


def test_the_logs_own_signature_is_read_beside_it() -> None:
    assert open_checkpoint(cosigned(NOTE, "w.example"), log_key()).size == 7


def test_the_time_stands_before_the_signature_with_its_high_byte_first() -> None:
    line = parse_note(cosigned(NOTE, "w.example", time_s=0x01020304)).signatures[1]

    assert line.signature[:8] == bytes([0, 0, 0, 0, 1, 2, 3, 4])
    assert len(line.signature) == 72


@pytest.mark.parametrize("problem", ["another text", "another time", "another key", "cut"])
def test_a_line_that_is_not_the_witnesses_is_refused(problem: str) -> None:
    parsed = parse_note(cosigned(NOTE, "w.example", secret="thief" if problem == "another key" else None))
    line, text = parsed.signatures[1], parsed.text
    data = line.signature
    if problem == "another time":
        data = (int.from_bytes(data[:8], "big") + 1).to_bytes(8, "big") + data[8:]
    if problem == "cut":
        data = data[:-1]
    changed = type(line)(name=line.name, key_id=line.key_id, signature=data)

    with pytest.raises(CosignatureInvalid, match=r"w\.example"):
        cosigned_at(text + "x\n" if problem == "another text" else text, changed, KEY)


def test_a_witness_key_is_read_back_and_is_not_a_logs() -> None:
    assert parse_witness_key(f"{KEY}\n") == KEY
    with pytest.raises(NoteInvalid, match="type 0x04"):
        parse_witness_key(str(log_key()))
    other = WitnessKey(name="w.example", public_key=private_key("other").public_key().public_bytes_raw())
    with pytest.raises(NoteInvalid, match="key id should be"):
        parse_witness_key(str(KEY).replace(KEY.key_id.hex(), other.key_id.hex()))
    for text in ("", "name", "name+00000000", "na me+0+AA==", "name+00000000+?"):
        with pytest.raises(NoteInvalid):
            parse_witness_key(text)
