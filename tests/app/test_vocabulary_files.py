"""The Vocabulary page's files: every format, the message where it cannot be written, and the proof."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import FormatError, Tokenizer, TrainConfig, load_pretrained, train, train_sentencepiece, train_wordpiece
from bpe_core.formats import to_bytes, writable
from bpe_core.formats.training_file import save_training
from tests.app.pages import columns, has, opened
from tests.app.pages import joined_texts as texts
from ui.session.tokenizer_files import TokenizerFile
from ui.session.training import Source
from ui.vocabulary import cache, exports
from ui.vocabulary.exports import Export, code, make_export

TEXT = "low lower lowest, newer wider slow slower"
HOSTILE = "<script>alert(1)</script> ![](http://x.test/y.png) **b** :red[x] \u202e </textarea>"
# `bc` is learned after `ab`, and `abc` from a and bc: tiktoken would merge ab and c.
DOUBTFUL = train("abc", TrainConfig(vocab_size=259), forced=[(97, 98), (98, 99), (97, 257)]).tokenizer()


@pytest.fixture
def app() -> AppTest:
    """The page with the files open."""
    return opened("vocabulary", exports_open=True)


def with_file(app: AppTest, title: str, tokenizer: Tokenizer, format: str = "bpe-lab") -> AppTest:
    """The same page with the tokenizer of a user's own file."""
    file = TokenizerFile(title, ((f"{title}.json", to_bytes(tokenizer, format=format)),))
    app.session_state["tokenizer files"] = (file,)
    app.run()
    return app.selectbox(key="vocabulary of more").set_value(file.name).run()


def difference(app: AppTest) -> dict[str, list[Any]]:
    return columns(app, "proof difference") if has(app, "proof difference") else {}


def test_tokenizer_json_comes_as_a_folder_for_transformers_too(app: AppTest) -> None:
    assert "AutoTokenizer.from_pretrained reads the unpacked folder." in texts(app)
    app.segmented_control(key="vocabulary of").set_value("gpt2").run()
    assert "with the roles bos_token <|endoftext|>, eos_token <|endoftext|>." in texts(app)
    assert any(each.proto.label == "Folder for transformers" for each in app.get("download_button"))
    hostile = train(TEXT, TrainConfig(vocab_size=270, special_tokens=("<pad>", HOSTILE))).tokenizer()
    with_file(app, "own", hostile, "tokenizers").radio(key="export own as").set_value("tokenizers").run()
    assert "pad_token <pad>" in texts(app)
    assert not app.exception


def test_nothing_is_written_before_the_panel_is_open() -> None:
    app = opened("vocabulary")
    assert not [each for each in app.radio if each.key == "export as"]
    assert not app.success


def test_every_format_that_can_hold_the_training_is_proven_on_its_text(app: AppTest) -> None:
    chosen = app.radio(key="export as")
    assert chosen.options == ["tokenizer.json", ".tiktoken", "vocab.json and merges.txt", "BPE Lab's file"]
    assert "vocab.txt: " in texts(app)
    assert ".model: " in texts(app)
    results = {}
    for format in ("tokenizers", "tiktoken", "gpt2", "bpe-lab"):
        app.radio(key="export as").set_value(format).run()
        assert not app.exception
        results[format] = app.success[0].value
    assert all(
        line.startswith("**Same ids:** 749 tokens of 2,547 characters, read back by ") for line in results.values()
    )
    assert [line.split()[-2] for line in results.values()][:3] == ["tokenizers", "tiktoken", "tokenizers"]
    assert "by this app itself" in results["bpe-lab"]


def test_the_format_follows_the_tokenizer(app: AppTest) -> None:
    app.radio(key="export as").set_value("gpt2").run()
    with_file(app, "bert", train_wordpiece(TEXT, 60).tokenizer())
    own = app.radio(key="export own as")
    assert own.options == ["The file you opened", "tokenizer.json", "vocab.txt", "BPE Lab's file"]
    assert own.value == "original"
    own.set_value("wordpiece").run()
    assert "Same ids" in app.success[0].value


def test_own_text_is_proven_whatever_it_holds(app: AppTest) -> None:
    app.session_state["proof text"] = HOSTILE + "\ud800\0"
    app.button_group(key="proof on").set_value("own").run()
    for format in ("tokenizers", "tiktoken", "bpe-lab"):
        app.radio(key="export as").set_value(format).run()
        assert not app.exception
        assert "Same ids" in app.success[0].value
        assert not any("alert" in each.value for each in (*app.markdown, *app.caption, *app.success))


def test_another_rank_order_is_shown_with_both_sides(app: AppTest) -> None:
    with_file(app, "doubtful", DOUBTFUL)
    app.session_state["proof text"] = "ab <b>é abc"
    app.button_group(key="proof on").set_value("own").run()
    assert ".tiktoken" in app.radio(key="export own as").options  # correct on the training text
    app.radio(key="export own as").set_value("tiktoken").run()
    assert "by rank alone, token 258 can be made by another merge" in texts(app)
    assert "**Different ids** from token 9 on, at character 9 of the text." in app.error[0].value
    cells = difference(app)
    assert (cells["Id here"], cells["Id there"]) == ([256, 99], [258, None])
    assert [cell[1] for cell in cells["Here"]] == ["ab", "c"]
    assert "tiktoken joins any two neighbours" in texts(app)
    assert not app.success


def test_a_long_text_is_proven_when_it_is_asked_for(app: AppTest) -> None:
    app.session_state["proof text"] = "low slow " * 120_000
    app.button_group(key="proof on").set_value("own").run()
    assert "The first 1,000,000 of 1,080,000 characters are compared." in texts(app)
    assert not app.success
    app.button(key="prove").click().run(timeout=60)
    assert "of 1,000,000 characters" in app.success[0].value


def test_what_the_library_does_not_manage_is_told(app: AppTest) -> None:
    file = save_training(train(TEXT, TrainConfig(vocab_size=260, split="o200k")), TEXT)
    app.file_uploader(key="training file").upload("a training.json", file, "application/json").run()
    app.session_state["proof text"] = " " * 1_000_000
    app.session_state["export as"] = "tiktoken"
    app.button_group(key="proof on").set_value("own").run()
    app.button(key="prove").click().run(timeout=60)
    assert not app.exception
    assert "tiktoken could not encode the text" in texts(app)


def test_a_shortage_of_memory_is_said_and_nothing_is_lost(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(*_asked: object, **_how: object) -> None:
        raise MemoryError

    app.session_state["proof text"] = "low slow"
    monkeypatch.setattr(cache, "prove", too_much)
    app.button_group(key="proof on").set_value("own").run()
    assert not app.exception
    assert "The server has too little free memory for this." in texts(app)
    monkeypatch.undo()
    app.run()
    assert "Same ids:" in app.success[0].value


def test_two_files_come_as_a_zip_and_one_as_it_is() -> None:
    gpt2 = load_pretrained("gpt2")
    both, one = make_export(gpt2, "gpt2", ""), make_export(gpt2, "tiktoken", "")
    assert isinstance(both, Export)
    assert isinstance(one, Export)
    assert both.name == "gpt2-files.zip"
    with zipfile.ZipFile(io.BytesIO(both.download())) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == both.files
    assert (one.name, one.download()) == ("vocabulary.tiktoken", to_bytes(gpt2, format="tiktoken"))
    assert isinstance(make_export(gpt2, "wordpiece", ""), FormatError)


KINDS: dict[str, Callable[[], Tokenizer]] = {
    "bytes": lambda: train(TEXT, TrainConfig(vocab_size=270, special_tokens=("<s>", "it's \"\\{}"))).tokenizer(),
    "own pattern": lambda: train(TEXT, TrainConfig(vocab_size=270, split=r"'\w+|[^\"\\]{1,3}|\S")).tokenizer(),
    "WordPiece": lambda: train_wordpiece(TEXT, 60).tokenizer(),
    "SentencePiece": lambda: train_sentencepiece(TEXT, 30).tokenizer(),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_lines_of_python_read_the_file_and_give_its_ids_also_where_a_text_spells_special_tokens(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tokenizer = KINDS[name]()
    for format in writable(tokenizer):
        written = make_export(tokenizer, format, "")
        assert isinstance(written, Export)
        for file, data in written.files.items():
            Path(file).write_bytes(data)
        *lines, last = code(tokenizer, format).splitlines()
        for text in ("Hello", "Hello " + " ".join(list(tokenizer.special_tokens)[:9])):
            found: dict[str, Any] = {}
            exec("\n".join([*lines, "ids = " + last.replace('"Hello"', repr(text))]), found)
            assert list(found["ids"]) == tokenizer.encode(text).ids.tolist(), (format, text)


def test_published_vocabularies_are_written_once_for_all_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(exports, "make_export", lambda *given: made.append(given) or Export({}))
    for text in ("one", "two"):
        cache.export("o200k_base", Source("paste", "", text), TrainConfig(vocab_size=300 + len(text)), (), "gpt2")
    assert len(made) <= 1
    cache.export.forget()
