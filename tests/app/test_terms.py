"""Terms of the glossary in headings: marked once per card, with the definition that is also in GLOSSARY.md."""

import re
from pathlib import Path

import pytest

from bpe_core.language import LANGUAGES, using_language
from ui.widgets.layout import FORMS, with_terms

ROOT = Path(__file__).parents[2]
DEFINED = re.findall(
    r'^ {4}"?([a-z-]+)"?: t\("(.+)"\),$',
    (ROOT / "frontend" / "src" / "glossary" / "definitions.ts").read_text("utf-8"),
    re.MULTILINE,
)


def test_every_term_has_a_definition_that_the_glossary_lists_and_forms_in_every_language() -> None:
    glossary = (ROOT / "GLOSSARY.md").read_text("utf-8")
    assert [name for name, _ in DEFINED] == list(FORMS["en"])
    for name, definition in DEFINED:
        escaped = definition.replace("|", r"\|")
        assert f"| {name.replace('-', ' ')} | {escaped} |" in glossary
    assert {language: set(forms) for language, forms in FORMS.items()} == {
        code: set(FORMS["en"]) for code, language in LANGUAGES.items() if not language.draft
    }


@pytest.mark.parametrize(
    ("language", "text", "marked"),
    [
        (
            "en",
            "Special tokens and tokens of a token",
            "[Special tokens](#term-special-token) and [tokens](#term-token) of a token",
        ),
        ("en", "**merge** `merge` [merge](/x) emerged", "**merge** `merge` [merge](/x) emerged"),
        ("ja", "特殊トークンとトークナイザー", "[特殊トークン](#term-special-token)とトークナイザー"),
        ("zh", "按合并次序合并", "按[合并次序](#term-rank)[合并](#term-merge)"),
    ],
)
def test_the_first_occurrence_of_each_term_is_marked(language: str, text: str, marked: str) -> None:
    with using_language(language):
        assert with_terms(text) == marked
