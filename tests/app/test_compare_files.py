"""Tokenizer files on Compare: added as columns, named safely, removed, and never part of a link."""

import gzip
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from bpe_core import CorpusError, load_pretrained, train, train_sentencepiece, train_wordpiece
from bpe_core.formats import to_bytes, to_files
from tests.app.pages import columns, lanes, opened, payload, texts
from tests.app.sending import take
from tests.app.test_compare import button, captions, compare, find, selectbox, sentence
from ui.session import compare as compare_state
from ui.session.links import to_link
from ui.session.tokenizer_files import MOST_BYTES, TokenizerFile, check_room, read_together, safe_title
from ui.widgets import messages
from ui.work.work_queue import WorkQueue

__all__ = ["compare"]

TEXT = "low lower lowest hug hugs pug"
WORDPIECE = to_bytes(train_wordpiece(TEXT, 40).tokenizer(), format="wordpiece")
MODEL = to_bytes(train_sentencepiece(TEXT, 30).tokenizer(), format="sentencepiece")
RANKS = to_bytes(train(TEXT).tokenizer(), format="tiktoken")
JSON = to_bytes(train(TEXT).tokenizer(), format="tokenizers")


def upload(app: AppTest, *files: tuple[str, bytes]) -> None:
    """Put files into the uploader."""
    [uploader] = [each for each in app.file_uploader if str(each.key).startswith("tokenizer upload")]
    uploader.set_value([(name, data, "application/octet-stream") for name, data in files]).run()
    assert not app.exception


def add(app: AppTest, *files: tuple[str, bytes]) -> None:
    upload(app, *files)
    assert not app.exception


def test_a_file_becomes_a_column_everywhere(compare: AppTest) -> None:
    compare.session_state["compare text"] = "low hugs ж"
    compare.session_state["compare with"] = ["gpt2"]
    add(compare, ("tiny bert.txt", WORDPIECE))
    assert lanes(compare) == ["GPT-2", "tiny bert"]
    assert columns(compare, "counts table")[""] == ["GPT-2", "tiny bert"]
    assert list(columns(compare, "agreement table")) == ["", "GPT-2", "tiny bert"]
    assert selectbox(compare, "The other tokenizer").value.endswith(":tiny bert")
    take(compare, "causes", "missing token")
    assert "so the whole word becomes [[UNK]]" in sentence(compare)
    assert any("GPT-2 50,257, tiny bert 28." in caption for caption in captions(compare))
    assert any("Hollow: some of the text became unknown tokens." in caption for caption in captions(compare))


@pytest.mark.parametrize(("name", "data"), [("a.model", MODEL), ("tokenizer.json", JSON)])
def test_other_formats_are_read_as_well(compare: AppTest, name: str, data: bytes) -> None:
    add(compare, (name, data))
    assert lanes(compare)[-1] == name.partition(".")[0]


def test_the_two_files_of_gpt2_are_one_tokenizer(compare: AppTest) -> None:
    files = to_files(load_pretrained("gpt2"), format="gpt2")
    add(compare, ("my-merges.txt", files["merges.txt"]), ("my-vocab.json", files["vocab.json"]))
    assert lanes(compare)[-1] == "my-vocab"
    tokens = columns(compare, "counts table")["Tokens"]
    assert tokens[-1] == tokens[1]


def test_a_packed_file_and_the_files_beside_a_vocabulary_are_read(compare: AppTest) -> None:
    add(compare, ("tokenizer.json.gz", gzip.compress(JSON)))
    assert lanes(compare)[-1] == "tokenizer"
    files = to_files(load_pretrained("gpt2"), format="gpt2")
    add(compare, *files.items(), ("special_tokens_map.json", b'{"eos_token": "</s>"}'))
    assert lanes(compare)[-1] == "vocab"


def test_a_packed_tiktoken_file_asks_for_its_split(compare: AppTest) -> None:
    upload(compare, ("mine.tiktoken.gz", gzip.compress(RANKS)))
    assert button(compare, "Add to the comparison").disabled
    selectbox(compare, "Split into words: a .tiktoken file does not say").set_value("gpt2").run()
    button(compare, "Add to the comparison").click().run()
    assert lanes(compare)[-1] == "mine"


def test_a_tiktoken_file_asks_for_its_split(compare: AppTest) -> None:
    upload(compare, ("mine.tiktoken", RANKS))
    assert button(compare, "Add to the comparison").disabled
    selectbox(compare, "Split into words: a .tiktoken file does not say").set_value("gpt2").run()
    button(compare, "Add to the comparison").click().run()
    assert lanes(compare)[-1] == "mine"


def test_a_published_tiktoken_file_brings_its_split(compare: AppTest) -> None:
    folder = Path(__file__).parents[2] / "bpe_core" / "vocabularies"
    upload(compare, ("r50k_base.tiktoken", (folder / "r50k_base.tiktoken").read_bytes()))
    assert lanes(compare)[-1] == "r50k_base"


def test_a_file_that_is_no_tokenizer_is_refused_and_nothing_changes(compare: AppTest) -> None:
    add(compare, ("bad.json", b'{"**x**": "<b>y</b>"}'))
    assert lanes(compare) == ["Trained", "GPT-2", "cl100k", "o200k"]
    assert "The file is JSON, but not a tokenizer's." in texts(compare)


def test_a_problem_stays_until_it_can_have_been_read(compare: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    add(compare, ("bad.json", b"{}"))
    refusal = "The file is JSON, but not a tokenizer's."
    for _ in range(2):  # a page runs by itself once its typed text rests, and for what was clicked before
        compare.run()
        assert refusal in texts(compare)
    monkeypatch.setattr(messages, "monotonic", lambda: time.monotonic() + 60)
    compare.run()
    assert refusal not in texts(compare)


def test_a_problem_goes_when_the_next_file_opens(compare: AppTest) -> None:
    add(compare, ("bad.json", b"{}"))
    add(compare, ("tiny.txt", WORDPIECE))
    assert lanes(compare)[-1] == "tiny"
    assert "The file is JSON, but not a tokenizer's." not in texts(compare)


def test_files_are_removed_and_equal_names_are_told_apart(compare: AppTest) -> None:
    add(compare, ("vocab.txt", WORDPIECE), ("vocab.model", MODEL))
    assert lanes(compare)[-2:] == ["vocab", "vocab 2"]
    remove = [each for each in compare.button if each.label == "Remove"]
    assert len(remove) == 2
    remove[0].click().run()
    assert lanes(compare)[-1] == "vocab 2"
    assert "vocab" not in lanes(compare)
    assert not compare.exception


def test_no_more_files_are_kept_than_a_session_may() -> None:
    few = read_together([(f"{n}.txt", WORDPIECE) for n in range(4)], split=None, taken=())
    check_room(few)
    with pytest.raises(Exception, match=r"With these there are 5 tokenizer files"):
        check_room([*few, few[0]])
    with pytest.raises(Exception, match=r"keeps 4 files of 48 MB together"):
        check_room([TokenizerFile("big", (("a", b"x" * (MOST_BYTES + 1)),))])


def test_links_leave_files_out_and_open_without_them(compare: AppTest) -> None:
    add(compare, ("tiny.txt", WORDPIECE))
    view = compare.session_state["latest view"].view
    assert view.choices["with"] == ["trained", "gpt2", "cl100k_base", "o200k_base"]
    assert "right" not in view.choices
    assert any("links leave them out" in caption for caption in captions(compare))


def test_after_a_reload_the_page_says_which_files_are_gone_until_they_are_back(compare: AppTest) -> None:
    add(compare, ("tiny.txt", WORDPIECE))
    view = compare.session_state["latest view"].view
    assert view.choices["own"] == ["tiny"]
    again = opened("compare", to_link(view, str).query)
    assert "Not here: tiny" in texts(again)
    add(again, ("tiny.txt", WORDPIECE))
    assert not any("Not here" in text for text in texts(again))


def test_the_case_that_was_chosen_is_kept_over_a_reload(compare: AppTest) -> None:
    data = b"[UNK]\nlow\nLow\n"
    add(compare, ("vocab.txt", data))
    for label, own, other in (
        ("Keep upper case", "vocab case=kept", "Make lower case"),
        ("Make lower case", "vocab case=lower", "Keep upper case"),
    ):
        button(compare, label).click().run()
        view = compare.session_state["latest view"].view
        assert view.choices["own"] == [own]
        again = opened("compare", to_link(view, str).query)
        assert "Not here: vocab" in texts(again)
        add(again, ("vocab.txt", data))
        assert not any("Not here" in text for text in texts(again))
        button(again, other)
        assert again.session_state["compare with"][-1] == compare.session_state["compare with"][-1]
        button(again, other).click().run()
        assert not any("Not here" in text for text in texts(again))


def test_a_visitor_can_go_on_without_the_files_of_a_link(compare: AppTest) -> None:
    compare.session_state["tokenizer files of the link"] = ["**tiny**", "other"]
    compare.run()
    assert "Not here: **tiny**, other" in texts(compare)
    button(compare, "Go on without").click().run()
    assert not any("Not here" in text for text in texts(compare))
    assert "own" not in compare.session_state["latest view"].view.choices


@pytest.mark.parametrize("forged", [["file:0123:x"], "file:0123:x", ["gpt2", 3], None])
def test_a_file_that_the_session_does_not_hold_cannot_be_chosen(forged: object) -> None:
    assert not compare_state.WITH.valid(forged)
    assert not compare_state.LEFT.valid(forged)
    assert compare_state.WITH.valid(["gpt2"])


@pytest.mark.parametrize(
    "name",
    [
        "<script>.json",
        "**bold**.txt",
        "[x](http://evil).model",
        ":red[a] :smile:.txt",
        "www.evil.com.txt",
        "$x$ `y` ~z~ _i_.txt",
        "1. list.txt",
        "\u202egnp.txt",
        "",
        "a" * 99,
        "- x.txt",
        "# h.txt",
    ],
)
def test_a_title_is_plain_whatever_the_file_is_called(name: str) -> None:
    title = safe_title(name)
    assert title
    assert len(title) <= 24
    assert not set(title) & set("<>*[]():`$~#|\\\u202e/")
    assert not title.startswith(("-", "+", "www.", "_", "1. "))
    assert safe_title(name, [title]) == f"{title} 2"


def test_encode_and_vocabulary_take_the_files_too(compare: AppTest) -> None:
    add(compare, ("tiny.txt", WORDPIECE))
    compare.session_state["encode text"] = "low"
    encode = compare.switch_page("pages/encode.py").run()
    [own] = [name for name in encode.session_state["compare with"] if name.startswith("file:")]
    find(encode, "encode with", own)
    assert "tiny · special tokens as plain text" in captions(encode)
    assert "A piece: it is looked up as it is, and nothing is merged." in captions(encode)
    assert encode.session_state["latest view"].view.choices["with"] == "gpt2"
    vocabulary = compare.switch_page("pages/vocabulary.py").run()
    find(vocabulary, "vocabulary of", own)
    assert "tiny: 28 tokens, 23 pieces, 5 special" in captions(vocabulary)


def test_the_case_of_a_vocabulary_is_changed_on_every_page(compare: AppTest) -> None:
    everywhere = ("encode with", "vocabulary of", "pipeline with", "compare left", "own file to check")
    add(compare, ("vocab.txt", b"[UNK]\nlow\nLow\n"))
    [own] = [name for name in compare.session_state["compare with"] if name.startswith("file:")]
    for key in everywhere:
        compare.session_state[key] = own
    for page in ("compare", "encode", "pipeline"):
        compare.session_state[f"{page} text"] = "Low low"
    compare.session_state["order of tokens"] = "id"
    compare.run()
    assert any("the default of BERT's libraries" in caption for caption in captions(compare))
    for label, says, ids in (
        ("Keep upper case", "Upper and lower case stay as they are.", [2, 1]),
        ("Make lower case", "Texts become lower case and lose accents.", [1, 1]),
    ):
        app = compare.switch_page("pages/compare.py").run()
        button(app, label).click().run()
        assert not app.exception
        assert says in captions(app)
        assert lanes(app)[-1] == "vocab"
        now = app.session_state["compare with"][-1]
        assert now != own
        assert [app.session_state[key] for key in everywhere] == [now] * len(everywhere)
        assert payload(compare.switch_page("pages/encode.py").run(), "encode view")["ids"] == ids
        vocabulary = compare.switch_page("pages/vocabulary.py").run()
        assert "vocab: 3 tokens, 2 pieces, 1 special" in captions(vocabulary)
        stages = payload(compare.switch_page("pages/pipeline.py").run(), "stages of the text")
        assert stages["passages"][0]["tokens"]["id"] == ids
        assert not compare.exception
        own = now


def test_a_file_whose_pattern_runs_out_of_time_is_said_so(compare: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, **__: object) -> None:
        raise CorpusError("The split takes too long.", limit="About 2 s.", remedy="Choose another.")

    monkeypatch.setattr("ui.compare.cache.parallel_texts", slow)
    monkeypatch.setattr("ui.vocabulary.cache.times_used", slow)
    add(compare, ("slow.txt", to_bytes(train_wordpiece(TEXT, 39).tokenizer(), format="wordpiece")))
    assert "The split takes too long." in texts(compare)
    assert lanes(compare)[-1] == "slow"
    vocabulary = compare.switch_page("pages/vocabulary.py").run()
    find(vocabulary, "vocabulary of", vocabulary.session_state["compare with"][-1])
    assert "The split takes too long." in texts(vocabulary)


def test_an_upload_is_read_in_turn_once_and_given_up_by_cancel(
    compare: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[object] = []
    turn = WorkQueue.turn
    monkeypatch.setattr(
        WorkQueue, "turn", lambda turns, who, waiting: waited.append(turns) or turn(turns, who, waiting)
    )
    upload(compare, ("mine.tiktoken.gz", gzip.compress(RANKS)))
    assert len(waited) == 1
    compare.run()
    assert len(waited) == 1
    selectbox(compare, "Split into words: a .tiktoken file does not say").set_value("gpt2").run()
    button(compare, "Add to the comparison").click().run()
    assert len(waited) == 2  # to open the packed value
    assert lanes(compare)[-1] == "mine"
    assert not compare.exception


def test_a_packed_file_of_a_million_empty_parts_is_refused(compare: AppTest) -> None:
    data = gzip.compress(b"") * 1_000_000
    upload(compare, ("many.tiktoken.gz", data))
    assert any("in more than 10,000 parts" in each for each in texts(compare))
    assert not compare.exception
