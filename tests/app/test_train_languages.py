"""Train and Encode in the language of each session, though the cached drawing of a step is shared by all sessions."""

import re
from typing import Any

from streamlit.testing.v1 import AppTest

from bpe_core.bpe.step_sentences import story_of
from bpe_core.language import PSEUDO
from bpe_core.language.current import using_language
from bpe_core.payloads.frames import unframe
from tests.app.pages import opened
from tests.app.test_train import frames, payload, step_of, story, texts


def texts_of_step(app: AppTest) -> dict[str, Any]:
    """The texts of a step on the cards of Train."""
    table = payload(app, "changes table")
    return {
        "story": story(app),
        "text": payload(app, "text view")["caption"],
        "next": payload(app, "candidates table")["title"],
        "verdicts": next(each["cells"] for each in table["columns"] if not each["title"]),
        "curves": payload(app, "curves view")["words"][0][0],
        "merges": payload(app, "merge table")["columns"][1]["title"],
    }


def test_visitors_at_one_step_are_each_told_of_it_in_their_language() -> None:
    visits = [opened("train", {"lang": language}, step=7) for language in ("en", PSEUDO, "en")]
    english, other, again = map(texts_of_step, visits)
    assert english == again
    assert all("⟦" not in str(each) for each in english.values())
    assert all("⟦" in str(each) for each in other.values())


def test_a_step_in_english_by_another_visitor_is_never_shown_early_to_one_of_another_language() -> None:
    opened("train", {"lang": "en"}, step=8)
    going_on = opened("train", {"lang": PSEUDO}, step=7).run()
    early = {key: data for key, data in frames(going_on).items() if key.startswith("early: ")}
    assert early
    assert all("⟦" in str(unframe(data)) for data in early.values())


def test_a_tie_is_told_in_the_order_of_another_language_with_the_same_tokens() -> None:
    here = step_of("ab cd ef gh ab cd ef gh", 1, split="words", vocab_size=260)
    [_, english, *_] = story_of(here)
    with using_language(PSEUDO):
        [_, other, *_] = story_of(here)
    chips = [part for part in english if not isinstance(part, str)]
    assert len(chips) == 2
    assert [part for part in other if not isinstance(part, str)] == chips
    words = "".join(part for part in other if isinstance(part, str))
    assert re.sub("[⟦⟧]", "", words) == "".join(part for part in english if isinstance(part, str))
    assert words.startswith("⟦A tie of 4 pairs, and the one seen first wins: this one in word 1, ⟦“ab”⟧; not ⟦")


def test_encode_tells_what_is_wrong_with_ids_in_the_visitor_s_language() -> None:
    app = opened("encode", {"lang": PSEUDO}, encode_with="gpt2", decode_ids="15496 99999 10545")
    assert "⟦Id 2 of the list: ⟦GPT-2 has no id 99,999: its ids go from 0 to 50,256.⟧⟧" in texts(app)
    assert payload(app, "decode view")["notes"]["1"] == "⟦GPT-2 has no id 99,999: its ids go from 0 to 50,256.⟧"
    assert "⟦⟦Byte E6 begins a character of 3 bytes.⟧ ⟦Bytes 2–3 are missing: the text ends here.⟧⟧" in texts(app)
    assert payload(app, "token facts")["columns"][0]["cells"][0] == "⟦Id⟧"
