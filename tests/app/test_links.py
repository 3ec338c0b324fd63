"""Links and lesson files: they restore exactly what was shown, and nothing else."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from bpe_core import FormatError, TrainConfig
from tests.app.pages import has, opened, params
from tests.app.pages import texts as texts_of
from tests.app.sending import address, send_action
from ui.session.choices import PAGES
from ui.session.lesson_file import from_file, to_file
from ui.session.links import LONGEST_PACKED, LONGEST_QUERY, from_params, packed, to_link, unpacked
from ui.session.navigation import LATEST_VIEW
from ui.session.shared_view import SETTINGS, from_plain, to_plain
from ui.session.training import digest_of
from ui.work.work_queue import WorkQueue

HOSTILE = "<script>alert(1)</script></textarea>![x](http://example.org/x.png) [[]] &amp; %41 + \r\n\t\x0b 👩‍🚀 é ￿"

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=400)
plain_views = st.one_of(
    st.fixed_dictionaries(
        {"page": st.just("train"), "corpus": texts},
        optional={
            "file": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40),
            "step": st.integers(1, 10**6),
            "forks": st.lists(st.lists(st.integers(0, 10**6), min_size=3, max_size=3), min_size=1, max_size=3),
            "settings": st.fixed_dictionaries(
                {},
                optional={
                    "vocab_size": st.integers(300, 65_536).filter(lambda size: size != 512),
                    "special_tokens": st.lists(st.text("<|>ab, &", min_size=1), min_size=1, max_size=3, unique=True),
                    "lowercase": st.just(True),
                    "split": st.sampled_from(["none", r"\w+|[^\w&=+#%]"]),
                },
            ).filter(bool),
        },
    ),
    st.fixed_dictionaries(
        {
            "page": st.just("compare"),
            "choices": st.fixed_dictionaries(
                {"text": texts, "with": st.lists(st.sampled_from(["trained", "gpt2"]), max_size=2, unique=True)}
            ),
        }
    ),
)


def view(**plain: Any) -> Any:
    return from_plain(plain)


def never(_: str) -> str:
    raise AssertionError("this text is not too long for a link")


# -- the query ---------------------------------------------------------------------------------------------------


@given(plain_views)
def test_a_link_brings_back_every_view(plain: dict[str, Any]) -> None:
    link = to_link(from_plain(plain), never)
    back = from_params(plain["page"], params(link.query), lambda digest: None)
    assert link.whole
    assert back is not None
    assert to_plain(back) == to_plain(from_plain(plain))


@given(texts)
def test_a_packed_text_is_the_text_again(text: str) -> None:
    code = packed(text)
    assert code is not None
    assert code.isascii()
    assert params(f"t{code}").get("t", [text]) == [text] if code[0] == "=" else unpacked(code[3:]) == text


def test_only_what_is_no_default_is_written_and_each_page_writes_something() -> None:
    assert to_link(view(page="train", sample="toy_hug", settings={"vocab_size": 12}), never).query == "sample=toy_hug"
    assert all(any(each.always for each in choices) for page, choices in PAGES.items() if page != "train")


def test_a_link_can_be_written_by_hand() -> None:
    opened = from_params("encode", params("text=low+lower&with=gpt2&utm_source=mail"), lambda digest: None)
    assert opened is not None
    assert (opened.training, opened.choices) == (None, {"text": "low lower", "with": "gpt2"})
    stepped = from_params("train", params("step=7"), lambda digest: None)
    assert stepped is not None
    assert stepped.training is not None
    assert (stepped.training.source.label, stepped.training.step) == ("lantern_story", 7)


def test_an_address_of_others_is_no_link() -> None:
    assert from_params("encode", params("utm_source=mail&fbclid=1"), lambda digest: None) is None


def test_a_text_too_long_for_a_link_is_known_by_its_digest_where_the_link_was_made() -> None:
    text = "".join(chr(0x4E00 + i * 7919 % 20_000) for i in range(20_000))
    cached: dict[str, str] = {}

    def keep(text: str) -> str:
        cached[digest_of(text)] = text
        return digest_of(text)

    link = to_link(view(page="train", corpus=text, step=3), keep)
    assert not link.whole
    assert len(link.query) < LONGEST_QUERY
    here = from_params("train", params(link.query), cached.get)
    assert here is not None
    assert here.training is not None
    assert here.training.source.text == text
    with pytest.raises(FormatError, match="lesson file"):
        from_params("train", params(link.query), lambda digest: None)


def test_two_texts_share_the_room_of_one_link() -> None:
    long = base64.b64encode(bytes(i * i % 251 * i % 256 for i in range(5_000))).decode()
    link = to_link(view(page="encode", corpus=long, choices={"text": long + "!"}), digest_of)
    assert len(link.query) <= LONGEST_QUERY
    assert link.query.count(".z=") == 1


# -- forged and damaged links --------------------------------------------------------------------------------------


def code_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize(
    "code",
    [
        "A",
        "AAAA",
        "=" * 8,
        "ünïcode",
        code_of(zlib.compress(b"low lower")[:-2]),
        code_of(zlib.compress(b"low lower") + b"more"),
        code_of(zlib.compress(b"\xff\xfe")),
        code_of(zlib.compress("\ud800".encode("utf-8", "surrogatepass"))),
        code_of(zlib.compress(b"a" * (LONGEST_PACKED + 1))),
        code_of(zlib.compress(b"a" * 100_000_000)[:6_000]),
        "A" * (LONGEST_QUERY + 1),
        "A" * 10_000_000,
    ],
    ids=lambda code: f"{code[:8]}…{len(code)}",
)
def test_a_damaged_text_is_refused_and_never_unpacked_whole(code: str) -> None:
    with pytest.raises(FormatError, match="text"):
        from_params("encode", {"text.z": [code]}, lambda digest: None)


@pytest.mark.parametrize(
    ("page", "query"),
    [
        ("train", "sample=../../etc/passwd"),
        ("train", "sample=lantern_story&sample=toy_hug"),
        ("train", "sample=lantern_story&corpus=aaab"),
        ("train", "sample=lantern_story&step=-1"),
        ("train", "sample=lantern_story&step=1e3"),
        ("train", "sample=lantern_story&step=99999999999999999999"),
        ("train", "sample=lantern_story&vocab_size=3"),
        ("train", "sample=lantern_story&vocab_size=1000000"),
        ("train", "sample=lantern_story&unit=letter"),
        ("train", "sample=lantern_story&split=("),
        ("train", "sample=lantern_story&lowercase=yes"),
        ("train", "sample=lantern_story&min_count=90000000"),
        ("train", "sample=lantern_story&forks=1.2"),
        ("train", "corpus.id=../../../etc/passwd"),
        ("train", "corpus=aaab&file=" + "x" * 3_000),
        ("encode", "with=gpt3"),
        ("encode", "with=gpt2&with=gpt2"),
        ("encode", "text=a&text.z=eJxLTExMAgADzwGG"),
        ("compare", "with=gpt2&with=nobody"),
        ("compare", "at=x"),
        ("vocabulary", "of=gpt2&lengths=9-2"),
        ("lessons", "lesson=%3Cscript%3E"),
    ],
)
def test_a_forged_value_is_refused_in_one_sentence(page: str, query: str) -> None:
    with pytest.raises(FormatError) as refused:
        from_params(page, params(query), lambda digest: None)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


# -- lesson files --------------------------------------------------------------------------------------------------


@given(plain_views)
def test_a_lesson_file_brings_back_every_view(plain: dict[str, Any]) -> None:
    assert to_plain(from_file(to_file(from_plain(plain)))) == to_plain(from_plain(plain))


def file_of(**changes: Any) -> bytes:
    whole = {"format": "bpe-lab lesson", "version": 1, "scene": {"page": "train", "sample": "toy_hug"}}
    return json.dumps(whole | changes).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00",
        b"[" * 1_000_000,
        b'{"a":' * 5_000,
        b"1" * 6_000,
        b"[" + b"[]," * 60_000 + b"[]]",
        b" " * 10_000_001,
        b"[]",
        file_of(format="bpe-lab"),
        file_of(version=2),
        file_of(version=True),
        file_of(scene=[]),
        file_of(scene={"page": "train", "sample": "toy_hug", "code": "import os"}),
        file_of(scene={"page": "nowhere"}),
        file_of(scene={"page": "train", "step": 4}),
        file_of(scene={"page": "train", "corpus": 5}),
        file_of(scene={"page": "train", "corpus": "\ud800"}),
        file_of(scene={"page": "train", "sample": "toy_hug", "step": True}),
        file_of(scene={"page": "train", "sample": "toy_hug", "step": 1.5}),
        file_of(scene={"page": "train", "sample": "toy_hug", "forks": [[1, 2, True]]}),
        file_of(scene={"page": "train", "sample": "toy_hug", "settings": {"special_tokens": "abc"}}),
        file_of(scene={"page": "encode", "choices": {"with": ["gpt2"]}}),
    ],
    ids=lambda data: f"{data[:60]!r}",
)
def test_whatever_is_no_lesson_file_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        from_file(data)


def test_every_setting_of_a_training_can_be_in_a_link() -> None:
    usual = TrainConfig(
        vocab_size=400,
        unit="char",
        split="words",
        end_of_word="</w>",
        normalization="NFKC",
        lowercase=True,
        strip_accents=True,
        tie_break="lowest-ids",
        base_order="gpt2",
        min_count=2,
        special_tokens=("<a,b>", "c&d"),
        byte_fallback=True,
    )
    across, default = TrainConfig(vocab_size=400, method="superbpe", transition=300), TrainConfig()
    both = [
        {name for name in SETTINGS.keys() - {"base"} if getattr(c, name) != getattr(default, name)}
        for c in (usual, across)
    ]
    assert both[0] | both[1] == SETTINGS.keys() - {"base"}
    for config, names in zip((usual, across), both, strict=True):
        values = {name: getattr(config, name) for name in names}
        settings = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        link = to_link(view(page="train", corpus="Aa bb", settings=settings), never)
        opened = from_params("train", params(link.query), lambda digest: None)
        assert opened is not None
        assert opened.training is not None
        assert opened.training.config == config


# -- in the app ------------------------------------------------------------------------------------------------------


def test_a_training_opens_at_the_step_with_the_settings_and_the_text_of_its_link() -> None:
    app = opened("train", "corpus=low+lower+lowest+low&split=words&vocab_size=262&tie_break=lowest-ids&step=4")
    assert app.session_state["step"] == 4
    assert app.session_state["source"].text == "low lower lowest low"
    assert app.session_state["config"] == TrainConfig(split="words", vocab_size=262, tie_break="lowest-ids")
    assert app.session_state["draft vocab size"] == 262
    assert params(address(app)["query"]) == {
        "corpus": ["low lower lowest low"],
        "split": ["words"],
        "vocab_size": ["262"],
        "tie_break": ["lowest-ids"],
        "step": ["4"],
    }


def test_a_fork_opens_from_its_link_and_a_forged_one_is_told() -> None:
    app = opened("train", "sample=toy_hug&forks=0.2.6&step=1")
    assert app.session_state["forks"] == ((0, 2, 6),)
    forged = opened("train", "sample=toy_hug&forks=0.77777.88888&step=1")
    assert "forks" not in forged.session_state
    assert any("What was here before is kept." in text for text in texts_of(forged))


@pytest.mark.parametrize(
    ("page", "query", "key", "value"),
    [
        ("encode", "text=low+lower&with=cl100k_base", "encode text", "low lower"),
        ("encode", "text=low+lower&with=cl100k_base", "encode with", "cl100k_base"),
        ("compare", "text=aaab&with=gpt2&with=o200k_base", "compare with", ["gpt2", "o200k_base"]),
        ("vocabulary", "of=gpt2&order=longest&find=the", "order of tokens", "longest"),
        ("algorithms", "sample=toy_hug&word=hugs&at_step=3&model=unigram", "algorithms step", 3),
        ("lessons", "lesson=overlaps", "lesson", "overlaps"),
    ],
)
def test_each_page_opens_as_its_link_says(page: str, query: str, key: str, value: object) -> None:
    app = opened(page, query)
    assert app.session_state[key] == value
    assert address(app)["path"] == page
    asked, written = params(query), params(address(app)["query"])
    assert {name: written[name] for name in asked} == asked


@pytest.mark.parametrize("page", PAGES)
def test_a_broken_link_says_so_in_one_line_and_opens_the_default(page: str) -> None:
    name = {"train": "sample", "lessons": "lesson", "vocabulary": "of", "algorithms": "model"}.get(page, "text.z")
    app = opened(page, f"{name}={HOSTILE.encode().hex()}")
    notices = [text for text in texts_of(app) if text.startswith("This link cannot be opened.")]
    assert len(notices) == 1
    assert "\n" not in notices[0]
    assert notices[0].endswith("the page opens with its defaults.")
    fresh = opened(page)
    assert address(app)["query"] == address(fresh)["query"]


def test_a_good_link_of_the_history_takes_the_message_on_a_broken_one_away(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("encode", "with=unknown")
    assert any(text.startswith("This link cannot be opened.") for text in texts_of(app))
    monkeypatch.setattr("ui.widgets.address._by_history", lambda: True)
    app.query_params.clear()
    app.query_params["with"] = "cl100k_base"
    app.run()
    assert app.session_state["encode with"] == "cl100k_base"
    assert not any(text.startswith("This link cannot be opened.") for text in texts_of(app))


def test_a_hostile_text_travels_as_it_is() -> None:
    link = to_link(view(page="encode", choices={"text": HOSTILE, "with": "gpt2"}), never)
    app = opened("encode", link.query)
    assert app.session_state["encode text"] == HOSTILE
    assert params(address(app)["query"])["text.z"] == params(link.query)["text.z"]


def test_a_step_is_written_into_the_address_and_no_query_parameter_is_set() -> None:
    app = opened()
    app.session_state["step"] = 7
    app.run()
    assert params(address(app)["query"]) == {"sample": ["lantern_story"], "step": ["7"]}
    assert not app.query_params


def test_a_lesson_file_opens_its_page() -> None:
    app = opened()
    plain = {"page": "encode", "choices": {"text": HOSTILE, "with": "gpt2"}}
    app.file_uploader(key="lesson file").upload("lesson.json", to_file(from_plain(plain)), "application/json").run()
    assert not app.exception
    assert app.session_state["page"] == "encode"
    assert app.session_state["encode text"] == HOSTILE


def test_a_long_lesson_file_is_read_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[object] = []
    turn = WorkQueue.turn
    monkeypatch.setattr(WorkQueue, "turn", lambda queue, *given: waited.append(queue) or turn(queue, *given))
    app = opened()
    for text, turns in (("low", 0), ("low " * 300_000, 1)):
        waited.clear()
        view = from_plain({"page": "vocabulary", "corpus": text})
        app.file_uploader(key="lesson file").upload("lesson.json", to_file(view), "application/json")
        monkeypatch.setattr("ui.widgets.lesson_opening.show", lambda view: None)
        app.run()
        assert not app.exception
        assert len(waited) == turns


def test_a_visitor_with_too_much_in_the_line_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("train", "sample=toy_hug&step=2")
    monkeypatch.setattr("ui.widgets.lesson_opening.WORK_QUEUE", WorkQueue(1, most_each=0))
    view = from_plain({"page": "vocabulary", "corpus": "low " * 300_000})
    app.file_uploader(key="lesson file").upload("lesson.json", to_file(view), "application/json").run()
    assert not app.exception
    assert any("trainings, encodings, comparisons or proofs are not finished yet" in each for each in texts_of(app))
    assert app.session_state["step"] == 2


def test_a_file_that_is_no_lesson_is_told_and_changes_nothing() -> None:
    app = opened("train", "sample=toy_hug&step=2")
    app.file_uploader(key="lesson file").upload("x.json", b'{"format": "other"}', "application/json").run()
    assert not app.exception
    assert "The file is not a lesson file." in texts_of(app)
    assert app.session_state["step"] == 2


# -- the other pages, over a reload ------------------------------------------------------------------------------


def resumed(page: str, others: Any) -> AppTest:
    """A reloaded page whose tab has stored these queries of the other pages."""
    return send_action(opened(page), "resume", others, key=f"address: page {page}")


def test_what_the_other_pages_showed_is_sent_with_a_page_and_shown_again() -> None:
    app = opened("compare", "corpus=low+low+lower&step=2&text=this+page")
    app.session_state["encode text"] = "an earlier text"
    app.run()
    assert address(app)["others"].keys() == {"encode"}
    again = resumed("compare", address(app)["others"])
    assert again.session_state["encode text"] == "an earlier text"


def test_a_page_without_a_training_in_its_address_keeps_it_of_train() -> None:
    app = resumed("lessons", {"train": "corpus=low+low+lower&step=2"})
    assert "corpus=low+low+lower" in address(app)["others"]["train"]  # also for the next reload
    app.switch_page("pages/train.py").run()
    assert app.session_state["source"].text == "low low lower"
    assert app.session_state["step"] == 2


@pytest.mark.parametrize(
    "others",
    [
        None,
        [],
        7,
        {"encode": 7},
        {"encode": ["text=a"]},
        {"nowhere": "text=a"},
        {"encode": "text=a&text=b"},
        {"encode": "text.z=damaged"},
        {"encode": "with=nothing"},
        {"encode": "text=" + "a" * 100_000},
        {"encode": "&".join(f"text{number}=" for number in range(3_000))},
        {"lessons": "lesson=none+of+them"},
        {str(number): "" for number in range(100)},
    ],
)
def test_what_no_tab_could_have_kept_changes_nothing(others: Any) -> None:
    app = resumed("compare", others)
    assert "encode text" not in app.session_state
    assert params(address(app)["query"]).get("text") is None
    assert address(app)["others"] == {}


def test_a_lesson_file_saved_while_a_question_hides_train_has_the_settings_and_the_step() -> None:
    app = opened("train", "sample=lantern_story&method=superbpe&transition=480&step=224&via=across_words")
    assert not has(app, "story")
    settings = {"method": "superbpe", "transition": 480}
    saved = to_plain(app.session_state[LATEST_VIEW.key].view)
    assert saved == {"page": "train", "sample": "lantern_story", "settings": settings, "step": 224}
