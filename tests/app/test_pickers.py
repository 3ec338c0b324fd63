"""The choice of tokenizers: four visible, the others in a menu, including BERT and T5; by links and by hand."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core.bundled import files
from bpe_core.published import pretrained
from tests.app.pages import columns, opened, payload
from tests.app.sending import chosen, options, take
from tests.app.test_compare import choice, compare, find
from ui.memory.cache import MEMORY
from ui.session.tokenizer_files import TokenizerFile

__all__ = ["compare"]

FOUR = ["Trained", "GPT-2", "cl100k", "o200k"]
KEYS = {"encode": "encode with", "vocabulary": "vocabulary of", "pipeline": "pipeline with"}
PAGES = ["compare", *KEYS]
LEARNED = [f"{name} of “The lantern story” · 170" for name in ("WordPiece", "Unigram", "SentencePiece")]
OWN = TokenizerFile("tiny", (("vocab.txt", b"[UNK]\nlow\n##er\n"),))


def on_page(name: str) -> AppTest:
    return opened(name, tokenizer_files=(OWN,))


def key_of(page: str) -> str:
    return KEYS.get(page, "compare with")


def in_sight(app: AppTest, page: str) -> list[str]:
    """The visible names, on Compare without the token counts next to them."""
    if page != "compare":
        return list(choice(app, key_of(page)).options)
    return [re.sub(r" · [\d,]+( tokens)?$", "", option) for option in options(app, "compare with choice")]


def in_menu(app: AppTest, page: str) -> list[str]:
    return list(app.selectbox(key=f"{key_of(page)} more").options)


@pytest.mark.parametrize("page", PAGES)
def test_four_are_in_sight_and_the_others_in_a_menu_that_says_what_they_are(page: str) -> None:
    app = on_page(page)
    assert not app.exception
    assert in_sight(app, page) == FOUR
    assert in_menu(app, page) == [
        "BERT · WordPiece",
        "BERT cased · WordPiece",
        "T5 · Unigram",
        *LEARNED,
        "tiny · own file",
    ]


@pytest.mark.parametrize("page", PAGES)
def test_one_of_the_menu_is_in_sight_while_it_is_chosen(page: str) -> None:
    app = on_page(page)
    find(app, key_of(page), OWN.name)
    assert in_sight(app, page) == [*FOUR, "tiny"]
    assert (
        chosen(app, "compare with choice")[-1] == OWN.name
        if page == "compare"
        else choice(app, key_of(page)).value == OWN.name
    )
    assert "tiny · own file" not in in_menu(app, page)
    assert app.selectbox(key=f"{key_of(page)} more").value is None  # ready for the next search
    if page == "compare":
        take(app, "compare with choice", OWN.name)
    else:
        choice(app, key_of(page)).set_value("gpt2").run()
    assert not app.exception
    assert in_sight(app, page) == FOUR
    assert "tiny · own file" in in_menu(app, page)


def test_the_menu_adds_to_a_comparison(compare: AppTest) -> None:
    for name in ("trained", "cl100k_base", "o200k_base"):
        take(compare, "compare with choice", name)
    for name in ("bert-base-uncased", "t5-small"):
        find(compare, "compare with", name)
    assert compare.session_state["compare with"] == ["gpt2", "bert-base-uncased", "t5-small"]
    assert columns(compare, "counts table")[""] == ["GPT-2", "BERT", "T5"]
    assert [lane["name"] for lane in payload(compare, "lines view")["lanes"]] == ["GPT-2", "BERT", "T5"]
    assert in_menu(compare, "compare") == ["BERT cased · WordPiece", *LEARNED]


@pytest.mark.parametrize("name", ["bert-base-uncased", "bert-base-cased", "t5-small"])
@pytest.mark.parametrize("page", KEYS)
def test_bert_and_t5_open_on_every_page(page: str, name: str) -> None:
    app = on_page(page)
    find(app, key_of(page), name)
    assert app.session_state[key_of(page)] == name
    assert app.session_state["latest view"].view.choices["of" if page == "vocabulary" else "with"] == name


@pytest.mark.parametrize(
    ("query", "key", "value"),
    [
        ("encode?with=t5-small", "encode with", "t5-small"),
        ("vocabulary?of=bert-base-uncased", "vocabulary of", "bert-base-uncased"),
        ("pipeline?with=bert-base-uncased", "pipeline with", "bert-base-uncased"),
        ("compare?with=gpt2&with=t5-small&left=t5-small", "compare with", ["gpt2", "t5-small"]),
    ],
)
def test_a_link_names_bert_and_t5(query: str, key: str, value: object) -> None:
    page, _, rest = query.partition("?")
    app = opened(page, rest)
    assert not app.exception
    assert app.session_state[key] == value


@pytest.mark.parametrize("page", ["encode", "compare", "vocabulary", "pipeline"])
def test_a_missing_file_of_bert_is_told_of_where_it_is_chosen(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = on_page(page)
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    monkeypatch.setattr(pretrained, "_from_shelf", pretrained._from_shelf.__wrapped__)
    MEMORY.forget()
    find(app, key_of(page), "bert-base-uncased")
    assert any("cannot be read: No such file" in text.value for text in app.text)


def test_opening_the_pages_reads_neither_bert_nor_t5() -> None:
    pretrained._from_shelf.cache_clear()
    for page in PAGES:
        assert not on_page(page).exception
    assert not pretrained._from_shelf.cache_info().currsize
