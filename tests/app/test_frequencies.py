"""The token frequency chart: every token of the text is a point, and a point opens its token."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import train
from tests.app.pages import has, opened, payload
from tests.app.sending import send_action
from ui.session.samples import sample
from ui.session.vocabulary import TOKEN


def charted(**chosen: Any) -> AppTest:
    return opened("vocabulary", frequencies_open=True, **chosen)


def sent_to(app: AppTest) -> dict[str, Any]:
    """Payload of the chart."""
    return payload(app, "frequencies chart")


def drawn(app: AppTest) -> dict[str, Any]:
    figure: dict[str, Any] = sent_to(app)["figure"]
    return figure


def test_a_closed_chart_is_not_made() -> None:
    assert not has(opened("vocabulary"), "frequencies chart")


@pytest.mark.parametrize("name", ["trained", "cl100k_base"])
def test_every_token_of_the_text_is_a_point_in_the_order_of_its_use(name: str) -> None:
    law, points = drawn(charted(vocabulary_of=name))["data"]
    counts = points["y"]
    assert counts == sorted(counts, reverse=True)
    assert points["x"] == list(range(1, len(counts) + 1))
    assert law["y"][1] == counts[0] / 2
    assert [row[3] for row in points["customdata"]] == counts


def test_the_tooltip_of_each_point_draws_its_token() -> None:
    sent = sent_to(charted(vocabulary_of="gpt2"))
    _law, points = sent["figure"]["data"]
    chips = [chip for [chip] in sent["chips"]["1"]]
    assert list(sent["chips"]) == ["1"], "Zipf's law has no tokens"
    assert [token_id for token_id, *_ in chips] == [row[1] for row in points["customdata"]]
    assert [262, " the"] in chips


def test_the_chart_of_a_training_has_the_tokens_of_its_text() -> None:
    training = train(sample("lantern_story").text)
    assert sum(drawn(charted())["data"][-1]["y"]) == training.token_count(len(training.merges))


def test_a_point_opens_its_token_and_nothing_else_that_a_browser_sends_does() -> None:
    app = charted()
    token_id = drawn(app)["data"][1]["customdata"][1][1]

    def is_open(sent: Any) -> bool:
        send_action(app, "picked", sent, "frequencies chart")
        chosen = app.session_state[TOKEN.key] if TOKEN.key in app.session_state else None  # noqa: SIM401  it has no get
        return bool(chosen == token_id)

    assert not is_open([0, 1])  # a point of Zipf's law
    for sent in ([1, 9_999_999], [1, -1], [1, "1"], [2, 0], [1, True], [1], "forged", None):
        assert not is_open(sent), sent
    assert is_open([1, 1])
