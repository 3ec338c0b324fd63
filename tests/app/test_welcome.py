"""The first screen of Train, without a browser: the name in the tokens of a tokenizer that fits the language."""

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.ways import Visit
from bpe_core.payloads.frames import unframe
from ui.train.welcome import _LONGEST


@pytest.fixture
def visit() -> Visit:
    return Visit(AppTest.from_file("../../app.py", default_timeout=60).run())


def name_area(app: AppTest) -> str:
    """Name of the push of the field."""
    [area] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith("-name area")]
    return str(unframe(area.bytes)[0]["push"])


def captions(app: AppTest) -> list[str]:
    return [each.value for each in app.caption if "which GPT" in each.value or "GPT-4o" in each.value]


def test_a_key_in_the_field_redraws_the_first_screen_only(visit: Visit) -> None:
    visit.send("name area", "typed", [name_area(visit.app), "Zoë"])
    assert captions(visit.app) == ["3 tokens, which GPT-2 reads as numbers: 57 78 26689"]
    assert "player" not in visit.drawn
    assert visit.drawn[-2:] == ["name view", "welcome buttons"]


def test_a_name_is_cut_into_tokens_but_never_drawn_as_markdown_and_many_numbers_end_early(visit: Visit) -> None:
    visit.send("name area", "typed", [name_area(visit.app), "![x](y) <b>" * 18])
    [caption] = captions(visit.app)
    assert caption.endswith(" …")
    assert not any("<b>" in each.value for each in (*visit.app.markdown, *visit.app.caption))


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("Zoë 😀", "· is a space. A character such as an emoji can be several tokens of bytes."),
        ("😀", "A character such as an emoji can be several tokens of bytes."),
        ("Zoë Müller", "· is a space."),
        ("Grace", None),
    ],
)
def test_signs_among_the_tokens_are_explained_where_there_are_any(visit: Visit, name: str, signs: str | None) -> None:
    visit.send("name area", "typed", [name_area(visit.app), name])
    shown = [each.value for each in visit.app.caption if "is a space" in each.value or "of bytes" in each.value]
    assert shown == ([signs] if signs else [])


def test_a_name_over_the_limit_is_not_taken(visit: Visit) -> None:
    before = captions(visit.app)
    visit.send("name area", "typed", [name_area(visit.app), "a" * (_LONGEST + 1)])
    assert captions(visit.app) == before


def test_in_japanese_the_name_has_whole_characters() -> None:
    app = AppTest.from_file("../../app.py", default_timeout=60)
    app.query_params["lang"] = "ja"
    [caption] = captions(app.run())
    assert caption.startswith("GPT-4o では")
