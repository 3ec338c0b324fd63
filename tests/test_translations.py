"""The catalogues: every message is translated, with the placeholders and numbers of the English; none is obsolete."""

from __future__ import annotations

import ast
import importlib.util
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from bpe_core.language import LANGUAGES, SOURCE
from bpe_core.language.catalogues import catalogue
from tests.numerals import SMALL, in_words

PROJECT = Path(__file__).parents[1]
OTHERS = [language for language in LANGUAGES if language != SOURCE]
COMPLETE = [language for language in OTHERS if not LANGUAGES[language].draft]
SAYING = {"_", "n_", "message", "term", "counted", "sentence", "parts"}
"""Functions whose first argument Babel extracts from the source, and the second one of some: OF_A_NUMBER and `term`."""

OF_A_NUMBER = {"n_", "counted"}
SAID = SAYING | {"t", "tn", "partsOf", "translate", "gettext", "language_name"}
"""Functions that return translated text, or text to be translated."""

LAYOUT = re.compile(r"(?:\n|<br>|<extra></extra>|%\{[^}]*\}|#+ |\*\*| · |:? )*")
"""Text allowed between translations: lines, marks of headings, dots between facts, and a value after its label."""

OF_LISTS = {"{sentence} {next_sentence}", "{pieces} {piece}"}
"""Templates that put whole sentences, or tokens, in a row."""
DATA = {"course", "samples"}
"""Domains whose messages come from files: braces are not placeholders in them."""

EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
ENGLISH = re.compile(r"\b(?:the|a|an|of|is|are|to|in|and|or|not|with|for|has|have|no|it)\b", re.IGNORECASE)
"""Words that occur only in sentences."""

NOT_WORDS = re.compile(r"\{[^}]*\}|`[^`]*`|“[^”]*”")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
QUOTED = re.compile(r"`[^`]*`")
EMPHASIZED = re.compile(r"(?<![*\w])\*(?!\*)([^*\n]+)(?<!\*)\*(?!\*)")
PLACE = re.compile(r"\{[^}]*\}")
IN_CHARACTERS = {"3": "三", "4": "四", "5": "五", "6": "六", "7": "七", "8": "八", "9": "九", "10": "十", "11": "十一"}
IN_CHARACTERS |= {"12": "十二", "13": "十三", "20": "二十"}
NAMES = re.compile(r"GB18030|Big5")  # in place of Latin-1 characters of the English


def load_script() -> Any:
    spec = importlib.util.spec_from_file_location("translations", PROJECT / "scripts" / "translations.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TRANSLATIONS = load_script()
WORDS = TRANSLATIONS.all_words()


def entries(language: str) -> Iterator[tuple[str, str, str, str]]:
    """Domain, English, its plural ("" for none) and each translation of every entry of a language."""
    for domain in TRANSLATIONS.DOMAINS:
        for entry in TRANSLATIONS.read_catalogue(TRANSLATIONS.catalogue_path(domain, language)):
            if entry.id:
                one, many = entry.id if isinstance(entry.id, tuple) else (entry.id, "")
                for translation in entry.string if isinstance(entry.string, tuple) else (entry.string,):
                    yield domain.name, one, many, translation


def translated(language: str) -> Iterator[tuple[str, str, str, str]]:
    """The entries that have a translation: all but in a draft."""
    return (each for each in entries(language) if each[3])


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def numbers(text: str) -> Counter[str]:
    return Counter(NUMBER.findall(NAMES.sub("", text)))


def misplaced(one: str, many: str, translation: str) -> set[str]:
    """Numbers that a translation lacks, and those that the English has neither in digits nor in words."""
    has = numbers(translation)
    lost = (numbers(one) & numbers(many or one)) - has
    needed = {number for number in in_words(one) & in_words(many or one) if number in IN_CHARACTERS}
    unsaid = {each for each in needed - {*has} if IN_CHARACTERS[each] not in translation}
    if "10" in unsaid and "割" in translation:
        unsaid.remove("10")
    added = {*has} - {*numbers(f"{one} {many}")} - in_words(f"{one} {many}") - SMALL
    return {*lost} | unsaid | added


@pytest.mark.parametrize("language", OTHERS)
def test_every_word_of_the_source_is_in_the_catalogue_and_no_other(language: str) -> None:
    stale = [
        domain.name
        for domain in TRANSLATIONS.DOMAINS
        for path in [TRANSLATIONS.catalogue_path(domain, language)]
        if TRANSLATIONS.updated(TRANSLATIONS.read_catalogue(path), WORDS[domain]) != path.read_bytes()
    ]
    assert not stale, "run: python scripts/translations.py"


@pytest.mark.parametrize("language", COMPLETE)
def test_nothing_is_without_a_translation(language: str) -> None:
    assert not [one for _, one, _, translation in entries(language) if not translation]


@pytest.mark.parametrize("language", [each for each in OTHERS if each not in COMPLETE])
def test_what_a_draft_lacks_is_said_in_english(language: str) -> None:
    lacking = next(one for domain, one, many, said in entries(language) if not (said or many) and domain == "cli")
    assert catalogue(language).gettext(lacking) == lacking


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_names_the_values_of_the_english(language: str) -> None:
    wrong = [
        (one, translation)
        for domain, one, many, translation in translated(language)
        if domain not in DATA and places(translation) != places(many or one) | places(one)
    ]
    assert not wrong


@pytest.mark.parametrize("language", OTHERS)
def test_bold_words_begin_and_end(language: str) -> None:
    wrong = [
        translation
        for domain, one, _, translation in translated(language)
        if (one.count("**") > 0) != (translation.count("**") > 0)
    ]
    assert not wrong
    assert not [translation for *_, translation in translated(language) if translation.count("**") % 2]


@pytest.mark.parametrize("language", OTHERS)
def test_stars_of_a_lesson_are_bold_words_beside_any_sign(language: str) -> None:
    """By CommonMark's rule of flanking, "**㍿**だけ … **字**" makes the text in between bold."""
    for said in (each[3] for each in translated(language) if each[0] == "course"):
        for at, mark in enumerate(re.finditer(r"\*\*", said)):
            before, after = said[: mark.start()][-1:], said[mark.end() :][:1]
            inside, outside = (before, after) if at % 2 else (after, before)
            ends = not outside or outside.isspace() or _is_sign(outside)
            assert inside.strip(), said
            assert not _is_sign(inside) or ends, said


def _is_sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


@pytest.mark.parametrize("language", OTHERS)
def test_lessons_and_samples_keep_their_numbers_what_is_code_and_each_token(language: str) -> None:
    wrong = [
        (one, translation)
        for domain, one, _, translation in translated(language)
        if domain in DATA
        and (
            numbers(one) - numbers(translation)
            or QUOTED.findall(one) != QUOTED.findall(translation)
            or any(token not in translation for words in EMPHASIZED.findall(one) for token in words.split())
        )
    ]
    assert not wrong


@pytest.mark.parametrize("language", COMPLETE)
def test_a_translation_has_the_numbers_of_the_english_and_no_other(language: str) -> None:
    wrong = [
        (found, one, translation)
        for domain, one, many, translation in translated(language)
        for found in [
            misplaced(*(text if domain in DATA else PLACE.sub("", text) for text in (one, many, translation)))
        ]
        if found - (set() if domain in DATA else {"1"})
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("english", "translation", "found"),
    [
        ("It has 84 tokens.", "84個のトークンです。", set()),
        ("It has 84 tokens.", "48個のトークンです。", {"84", "48"}),
        ("Four of the 8 tokens.", "8 个词元中的四个。", set()),
        ("Four of the 8 tokens.", "8個のうち3個のトークン。", {"4", "3"}),
        ("A tenth fewer.", "1割少ない。", set()),
    ],
)
def test_other_numbers_are_found(english: str, translation: str, found: set[str]) -> None:
    assert misplaced(english, "", translation) == found


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_said_in_words_is_said_in_the_words_of_the_language(language: str) -> None:
    def is_a_sentence(text: str) -> bool:
        bare = NOT_WORDS.sub("", text)
        return bool(ENGLISH.search(bare)) and len(bare.split()) > 2

    wrong = [
        (one, translation)
        for _, one, _, translation in translated(language)
        if is_a_sentence(one) and not EASTERN.search(translation)
    ]
    assert not wrong


def imported_calls(path: Path, is_room: Callable[[str], bool], is_wanted: Callable[[str], bool]) -> Iterator[ast.Call]:
    """Calls in a file of wanted functions and classes imported from the modules of a room."""
    tree = ast.parse(path.read_bytes())
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and is_room(node.module or "")
        for alias in node.names
        if is_wanted(alias.name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in imported:
            yield node


def calls(path: Path) -> Iterator[ast.Call]:
    """Calls in a file that mark messages: of functions imported from the language room."""
    return imported_calls(path, lambda module: module == "bpe_core.language", lambda name: name in SAYING)


def test_what_is_said_is_a_literal_that_is_found_in_the_source() -> None:
    known = {text for words in WORDS.values() for each in words for text in (each.one, each.plural) if text}
    wrong = []
    for path in [PROJECT / "app.py", *(PROJECT / "ui").rglob("*.py"), *(PROJECT / "bpe_core").rglob("*.py")]:
        source = path.read_text("utf-8")
        if "bpe_core.language import" not in source or path.parent.name == "language":
            continue
        for call in calls(path):
            assert isinstance(call.func, ast.Name)
            texts = call.args[: 2 if call.func.id in OF_A_NUMBER else 1]
            if call.func.id == "term":
                texts = call.args[1:2]
            if not all(isinstance(each, ast.Constant) and each.value in known for each in texts) or not texts:
                wrong.append(f"{path.relative_to(PROJECT)}:{call.lineno}")
    assert not wrong


def is_said(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID


def is_space(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value == " "


def operands(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of a chain of additions."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from operands(node.left)
        yield from operands(node.right)
    else:
        yield node


def concatenated(tree: ast.AST) -> Iterator[int]:
    """Lines that join translations with each other, or with text other than layout."""
    chains = [[*operands(node)] for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
    chains += [
        [each.value if isinstance(each, ast.FormattedValue) else each for each in node.values]
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
    ]
    for chain in chains:
        if not any(map(is_said, chain)):
            continue
        texts = [each.value for each in chain if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        after = [next_one for one, next_one in pairwise(chain) if is_said(one) or is_space(one)]
        if any(map(is_said, after)) or not all(LAYOUT.fullmatch(text) for text in texts):
            yield chain[0].lineno


def is_part(template: str) -> bool:
    """Whether a message is a part of a sentence: it begins or ends at the edge of another one, or has no words."""
    if template in OF_LISTS:
        return False
    continues = re.match(r"[,;:)\s](?!\))|\.\s", template) or template != template.rstrip()
    return bool(continues or re.fullmatch(r"(?:\{\w+(?::[^}]*)?\}\s*){2,}", template))


def test_a_message_is_no_part_of_a_sentence_that_is_put_together() -> None:
    of_the_parser = "bpe_core/cli/help.py"  # Python's own messages
    parts = [
        each.one
        for words in WORDS.values()
        for each in words
        if each.source != of_the_parser and any(is_part(text) for text in (each.one, each.plural) if text)
    ]
    assert not parts


@pytest.mark.parametrize(
    "text",
    [", where this merge first occurs.", "; counts are of the whole text.", "{number} {unit}", "{number}{unit}", "of "],
)
def test_parts_of_sentences_are_known(text: str) -> None:
    assert is_part(text)


def test_no_translations_are_put_together() -> None:
    wrong = []
    for path in [PROJECT / "app.py", *(PROJECT / "ui").rglob("*.py"), *(PROJECT / "bpe_core").rglob("*.py")]:
        source = path.read_text("utf-8")
        if "bpe_core.language import" in source and path.parent.name != "language":
            wrong += [f"{path.relative_to(PROJECT)}:{line}" for line in concatenated(ast.parse(source))]
    assert not wrong


@pytest.mark.parametrize(
    ("source", "is_wrong"),
    [
        ('_("Kept.") + " " + _("Lost.")', True),
        ('_("Kept") + _("Lost")', True),
        ("f\"{_('Kept')}, {count}\"", True),
        ('"It is " + translate(name)', True),
        ('"## " + _("Kept")', False),
        ("f\"{_('Kept')} · {_('Lost')}\"", False),
        ('_("Kept") + "\\n" + _("Lost")', False),
    ],
)
def test_what_is_put_together_is_told_from_layout(source: str, is_wrong: bool) -> None:
    assert bool([*concatenated(ast.parse(source))]) == is_wrong


_CALL = r"\b(?:t|tn|term)\("
PUT_TOGETHER = re.compile(rf"{_CALL}[^()`]*\)\s*\+\s*(?![\"']\\n)|(?<!\\n[\"'])\s\+\s*{_CALL}|\$\{{{_CALL}")
"""A translation in a template literal, or added to anything but a line."""


def test_no_translations_are_put_together_in_scripts() -> None:
    wrong = [
        f"{path.relative_to(PROJECT)}: {found.group()}"
        for path in sorted((PROJECT / "frontend" / "src").rglob("*.ts"))
        for found in PUT_TOGETHER.finditer(path.read_text("utf-8"))
    ]
    assert not wrong


def error_calls(path: Path) -> Iterator[ast.Call]:
    """Calls in a file that create or raise an error of the core."""
    return imported_calls(
        path,
        lambda module: module.startswith("bpe_core"),
        lambda name: name == "refuse" or name.endswith("Error"),
    )


def is_word(node: ast.AST) -> bool:
    """True for text that no catalogue contains: a literal with a letter, or an expression built from one."""
    if isinstance(node, ast.BinOp):
        return any(map(is_word, ast.walk(node.left))) or any(map(is_word, ast.walk(node.right)))
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and any(map(str.isalpha, node.value))
    return is_text or isinstance(node, ast.JoinedStr)


def test_no_error_is_told_in_words_that_no_catalogue_has() -> None:
    wrong = []
    for path in [PROJECT / "app.py", *(PROJECT / "ui").rglob("*.py"), *(PROJECT / "bpe_core").rglob("*.py")]:
        for call in error_calls(path):
            texts = [*call.args, *(each.value for each in call.keywords)]
            if any(map(is_word, texts)):
                wrong.append(f"{path.relative_to(PROJECT)}:{call.lineno}")
    assert not wrong


def test_a_template_says_only_what_it_is_given() -> None:
    wrong = []
    for path in [PROJECT / "app.py", *(PROJECT / "ui").rglob("*.py"), *(PROJECT / "bpe_core").rglob("*.py")]:
        if "bpe_core.language import" not in path.read_text("utf-8") or path.parent.name == "language":
            continue
        for call in calls(path):
            assert isinstance(call.func, ast.Name)
            given = {each.arg for each in call.keywords}
            if None in given:
                continue
            count = {"count"} if call.func.id in OF_A_NUMBER else set()
            texts = [each.value for each in call.args[: 2 if count else 1] if isinstance(each, ast.Constant)]
            if call.func.id == "term":
                continue
            if any(not places(text) <= given | count for text in texts) or not given <= set().union(
                *map(places, texts)
            ):
                wrong.append(f"{path.relative_to(PROJECT)}:{call.lineno}")
    assert not wrong
