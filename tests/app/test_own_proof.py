"""The proof of a user's own file: by the library of its format, as it was opened, from a button next to it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import FormatError, train_sentencepiece
from bpe_core.formats import from_files
from tests.app.pages import joined_texts as texts
from tests.app.pages import opened
from tests.app.sending import without_terms
from tests.core.json_files import added_token, json_file
from ui.memory.cache import MEMORY
from ui.session.tokenizer_files import TokenizerFile
from ui.vocabulary import cache

TEXT = "low lower lowest, newer wider slow slower"
VOCAB = b"[UNK]\n[CLS]\nlow\n##er\n##est\nnew\n"
JSON = json_file(
    truncation={"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
    added_tokens=[added_token("<added>", 4, lstrip=True, normalized=True), added_token("<s>", 5, special=True)],
    normalizer={"type": "Lowercase"},
    pre_tokenizer={"type": "Whitespace"},
    model={"type": "WordLevel", "vocab": {"[UNK]": 0, "low": 1, "lower": 2, ",": 3}, "unk_token": "[UNK]"},
)
FILES = {
    "vocab.txt": VOCAB,
    "others.json": json.dumps(JSON).encode(),
    "a.model": train_sentencepiece(TEXT, 30).model,
}
LIBRARIES = {"vocab.txt": "tokenizers", "others.json": "tokenizers", "a.model": "sentencepiece"}


def own(name: str) -> TokenizerFile:
    return TokenizerFile(name.partition(".")[0], ((name, FILES[name]),))


def checked(name: str, text: str = TEXT) -> AppTest:
    """The Vocabulary page after a click on the button beside the file on Compare."""
    file = own(name)
    app = opened("compare", tokenizer_files=(file,), proof_on="own", proof_text=text)
    app.button(key=f"check {file.name}").click().run()
    assert not app.exception
    return app.switch_page("pages/vocabulary.py").run()  # AppTest does not notice a change of page


def format_choice(app: AppTest) -> Any:
    return app.radio(key="export own as")


@pytest.mark.parametrize("name", FILES)
def test_a_click_proves_an_own_file_by_its_library(name: str) -> None:
    app = checked(name)
    assert app.session_state["page"] == "vocabulary"
    assert app.session_state["vocabulary of"] == own(name).name
    assert format_choice(app).options[0] == "The file you opened"
    assert format_choice(app).value == "original"
    [success] = app.success
    assert success.value.startswith("**Same ids:**")
    assert f"read by {LIBRARIES[name]} " in success.value


def test_the_button_is_on_encode_too_where_an_own_file_is_chosen() -> None:
    file = own("vocab.txt")
    app = opened("encode", tokenizer_files=(file,))
    assert not [each for each in app.button if each.label == "Check against its library"]
    app.selectbox(key="encode with more").set_value(file.name).run()
    app.button(key=f"check {file.name}").click().run()
    assert not app.exception
    assert app.session_state["page"] == "vocabulary"
    assert "Same ids" in app.success[0].value


def test_the_proof_is_above_the_tokens_when_it_was_requested() -> None:
    app = checked("vocab.txt")
    first = order(app)
    app.button_group(key="vocabulary of").set_value("gpt2").run()
    assert not app.exception
    assert (first, order(app)) == (["proof", "tokens"], ["tokens", "proof"])


def order(app: AppTest) -> list[str]:
    """Proof and tokens in the order in which they appear on the page."""
    titles = {"Proof": "proof", "Find tokens by": "tokens"}
    labelled = (
        getattr(each, "label", "") or without_terms(str(getattr(each, "value", ""))).strip("*# ") for each in app.main
    )
    return list(dict.fromkeys(titles[each] for each in labelled if each in titles))


def test_encode_says_what_of_a_file_is_not_done() -> None:
    file = own("others.json")
    app = opened("encode", tokenizer_files=(file,))
    app.selectbox(key="encode with more").set_value(file.name).run()
    assert "Texts are truncated to 3 tokens when the file's own library encodes them; here they are not." in texts(app)


def test_truncation_and_added_tokens_of_other_makers_change_nothing() -> None:
    app = checked("others.json", "low LOWER <added> lower,low <s> <ADDED>")
    assert "The same again with the special tokens in the text parsed." in app.success[0].value
    assert "Both decode them to the same text." in app.success[0].value


def test_ids_that_the_library_does_not_give_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    other = from_files({"vocab.txt": VOCAB.replace(b"low\n##er\n", b"##er\nlow\n")})
    monkeypatch.setattr(TokenizerFile, "tokenizer", lambda *_: other)
    MEMORY.forget()
    app = checked("vocab.txt", "low lower changed")
    assert not app.success
    assert "**Different ids** from token 1 on" in app.error[0].value
    MEMORY.forget()


def test_another_decoding_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    words = JSON["model"] | {"vocab": {"[UNK]": 0, "low": 1, ",": 2}}  # type: ignore[operator]
    plain = JSON | {"added_tokens": [], "normalizer": None, "truncation": None, "model": words}
    other = from_files({"tokenizer.json": json.dumps(plain).encode()})
    monkeypatch.setattr(TokenizerFile, "tokenizer", lambda *_: other)
    monkeypatch.setitem(FILES, "vocab.txt", b"[UNK]\nlow\n,\n")
    MEMORY.forget()
    app = checked("vocab.txt", "low, low")
    assert "Same ids" in app.success[0].value
    assert "Both decode" not in app.success[0].value
    assert "Decoded, the texts differ from character 4 on. Here: 'low , low'." in texts(app)
    MEMORY.forget()


def test_what_the_library_does_not_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise FormatError("The library tokenizers could not read the file.", limit="It must.", remedy="Try another.")

    monkeypatch.setattr(cache, "prove_original", refuse)
    app = checked("vocab.txt", "refused")
    assert "The library tokenizers could not read the file." in texts(app)


def test_the_formats_that_it_can_be_written_in_follow() -> None:
    app = checked("vocab.txt")
    format_choice(app).set_value("bpe-lab").run()
    assert not app.exception
    assert "read back by this app itself" in app.success[0].value
    app.button_group(key="vocabulary of").set_value("trained").run()
    assert app.radio(key="export as").value == "tokenizers"
