"""The most frequent code paths stay short: how many files are entered, and how often a text is encoded."""

from benchmarks.ways import Visit, Way, key_on_encode, opened, sample_text, step_on_train
from bpe_core.payloads.frames import apart

MOST_FILES = 10
SAYS_WORDS = ("bpe_core/language/", "ui/session/language.py", "ui/views/component.py")
"""Modules that translate messages, on every way; not part of the step itself."""


def own(files: tuple[str, ...]) -> list[str]:
    """The files of a way that do work, rather than supply messages."""
    return [path for path in files if not path.startswith(SAYS_WORDS)]


def saying(files: tuple[str, ...]) -> list[str]:
    """The files of a way that only supply messages."""
    return [path for path in files if path.startswith(SAYS_WORDS)]


def listed(way: Way) -> str:
    return "\n".join((*way.files, *way.encoded))


def test_a_step_on_train_goes_through_few_files_and_encodes_no_text() -> None:
    way = step_on_train(sample_text())
    assert "ui/train/steps.py" in way.files
    assert len(own(way.files)) <= MOST_FILES, listed(way)
    assert len(saying(way.files)) <= 5, listed(way)
    assert not way.encoded, listed(way)


def test_a_step_in_a_long_text_goes_the_same_way() -> None:
    way = step_on_train(sample_text() * 5)
    assert len(own(way.files)) <= MOST_FILES, listed(way)
    assert len(saying(way.files)) <= 5, listed(way)
    assert not way.encoded, listed(way)


def test_a_key_on_encode_goes_through_few_files_of_the_app_and_makes_utf8_once() -> None:
    """Files that the tokenizer enters to encode a text belong to the core; the app adds no more than these."""
    way = key_on_encode(sample_text())
    assert len(way.files) <= 36, listed(way)  # those of the core, which may only become fewer
    assert {"ui/encode/tokens.py", "ui/encode/cache.py"} <= set(way.files)
    assert len(own(way.of_the_app)) <= MOST_FILES, listed(way)
    assert len(saying(way.of_the_app)) <= 2, listed(way)
    assert len(way.encoded) == 1, listed(way)


def test_a_step_sends_all_its_cards_in_one_run_what_is_in_sight_first() -> None:
    visit = Visit(opened("pages/train.py"))
    visit.send("player", "move", [7, False])
    assert visit.drawn == ["relay of text", "player", "relay of facts"]
    [relayed] = [each.proto for each in visit.app.get("bidi_component") if each.proto.id.endswith("-relay of facts")]
    shown = ["story", "candidates table", "changes table", "merge table: current row", "curve marks", "steps"]
    assert list(apart(relayed.bytes)) == shown
    assert visit.app.session_state["step"] == 7


def test_who_goes_on_step_by_step_is_sent_the_figures_of_the_next_step() -> None:
    visit = Visit(opened("pages/train.py"))

    def sent() -> dict[str, bytes]:
        [facts] = [each.proto for each in visit.app.get("bidi_component") if each.proto.id.endswith("-relay of facts")]
        return apart(facts.bytes)

    def early() -> dict[str, bytes]:
        return {key.removeprefix("early: "): data for key, data in sent().items() if key.startswith("early: ")}

    visit.send("player", "move", [1, False])
    of_the_second = early()
    assert list(of_the_second) == ["story", "candidates table", "changes table"]
    visit.send("player", "move", [2, False])
    assert {key: sent()[key] for key in of_the_second} == of_the_second
    assert early()
    visit.send("player", "move", [40, False])
    assert not early(), "after a jump the next step is unpredictable"
    visit.send("player", "move", [41, False])
    assert early()
    visit.send("player", "predict", True)
    assert not early(), "the figures would reveal the merge to predict"
