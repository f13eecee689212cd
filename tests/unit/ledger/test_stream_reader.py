import pytest

from aml.ledger.stream_reader import sequences


@pytest.mark.parametrize(
    "reply",
    [
        "$JS.ACK.AML.ledger-1.1.4711.12.1780000000000000000.3",
        "$JS.ACK.domain.hash.AML.ledger-1.1.4711.12.1780000000000000000.3",
        "$JS.ACK._.hash.AML.ledger-1.1.4711.12.1780000000000000000.3.random",
    ],
)
def test_both_forms_of_a_reply_subject_give_the_sequences(reply: str) -> None:
    assert sequences(reply) == (4711, 12)
