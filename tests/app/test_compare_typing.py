"""After a key on Compare, results are derived from those of the previous text."""

import json
from pathlib import Path
from threading import Event

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from bpe_core import TrainConfig, compare
from bpe_core.payloads.frames import apart, unframe
from bpe_core.tokenizer.tokenizer import Special
from tests.app.live import live_session, until, wait
from ui.compare import cache
from ui.compare.chosen import Chosen
from ui.compare.page import show_compare
from ui.compare.text import AREA
from ui.serving.choices import EVENTS_OF
from ui.session.training import Source


@pytest.mark.parametrize("special", ["text", "parse"])
def test_what_a_key_compares_is_what_comparing_the_whole_text_gives(special: Special) -> None:
    before, after = (Source("compared", "", text) for text in ("low\nnew\nwide\n" * 9, "low\nnewer\nwide\n" * 9))
    names, settings = ("gpt2", "bert-base-uncased", "t5-small"), (Source("sample", "", "low"), TrainConfig(), ())
    key = (names, *settings, after, special)
    cache.comparison.forget()
    assert cache.changed_comparison(before, *key) is None, "nothing is known"
    cache.comparison(names, *settings, before, special)
    changed = cache.changed_comparison(before, *key)
    assert changed is not None
    assert cache.comparison.cached(*key) is changed
    whole = compare(after.text, {name: changed.tokenizer(name) for name in changed.names}, special=special)
    assert changed.rows == whole.rows
    left, right, other = changed.names
    for pair in ((left, right), (right, other)):
        assert changed.disagreements(*pair) == whole.disagreements(*pair)


def test_a_key_that_stops_the_page_asks_for_the_rest_of_it_even_if_it_cannot_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_middle, go_on = Event(), Event()

    def middle(chosen: Chosen) -> None:
        in_middle.set()
        wait(go_on)

    monkeypatch.setattr("ui.compare.page.show_fertility", middle)
    with live_session(show_compare, tmp_path) as live:

        def asked() -> list[str]:
            drawn = [each.delta.new_element.bidi_component for each in live.browser.received if each.HasField("delta")]
            relayed = [apart(each.bytes) for each in drawn if each.id.endswith("-relay of typing")]
            return [unframe(frames["rest of compare"])[0]["due"] for frames in relayed]

        live.send()
        wait(in_middle)
        edit_of_an_unknown_text = ["tab", [[1, "typed", ["another push", [7, 0, 0, "x"], 9]]]]
        events = json.dumps([{"event": "acts", "value": edit_of_an_unknown_text}])
        live.send([WidgetState(id=f"{EVENTS_OF}{AREA}", json_trigger_value=events)], live.part_of(AREA))
        until(lambda: len(asked()) == 2, "the part is drawn")
        go_on.set()
        assert asked() == ["", "rested"]
