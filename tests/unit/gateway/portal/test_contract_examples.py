"""The guide's examples keep to the contract that they explain."""

import msgspec
import pytest

from aml.contracts.participant import AddRequest, AddResponse, SearchRequest, SearchResponse
from aml.contracts.vocabulary import Track
from aml.gateway.portal.contract_examples import examples_of


@pytest.mark.parametrize("track", ["textual", "multimodal", "coding"])
def test_examples_are_what_is_sent_and_read(track: Track) -> None:
    examples = examples_of(track)

    sent = msgspec.json.decode(examples.add_request, type=AddRequest)
    answered = msgspec.json.decode(examples.add_response, type=AddResponse)
    asked = msgspec.json.decode(examples.search_request, type=SearchRequest)
    found = msgspec.json.decode(examples.search_response, type=SearchResponse)

    assert answered.success
    assert (answered.request_id, answered.user_id, answered.session_id) == (
        sent.request_id,
        sent.user_id,
        sent.session_id,
    )
    assert asked.user_id == sent.user_id
    assert len(found.data) <= asked.top_k
    assert isinstance(sent.messages[0].content, str) is (track != "multimodal")
