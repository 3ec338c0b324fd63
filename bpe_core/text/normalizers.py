"""Normalizers: changes to a text before the split, with its characters aligned to the original.

A normalizer is a chain of steps. normalization.py implements the changes; the values here are parts of tokenizers,
read and written by the formats, and shown by the Pipeline page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from bpe_core.language import message
from bpe_core.text import growth, normalization, unicode_forms, windows
from bpe_core.text.normalization import LONGEST_FORM, Change, Normalized, UnicodeForm, is_unmoved
from bpe_core.work import taking

Normalization = Literal["none", "NFC", "NFD", "NFKC", "NFKD"]
NORMALIZATIONS: tuple[Normalization, ...] = ("none", "NFC", "NFD", "NFKC", "NFKD")


class Settings(NamedTuple):
    """Requested normalization; None leaves a setting unchanged.

    >>> Settings(lowercase=True)
    Settings(form=None, lowercase=True, strip_accents=None)
    """

    form: Normalization | None = None
    lowercase: bool | None = None
    strip_accents: bool | None = None


class Normalizer(Protocol):
    """First stage of a tokenizer: changes the text.

    >>> normalizer: Normalizer = Chain((Form("NFC"), Lowercase()))
    >>> [step.name for step in normalizer.steps], normalizer.normalize("É").text
    (['NFC', 'lower case'], 'é')
    """

    @property
    def steps(self) -> tuple[Step, ...]:
        """Steps in order; empty if texts stay unchanged."""

    def normalize(self, text: str) -> Normalized:
        """Normalized text, aligned to the original. Lone surrogates become U+FFFD first."""

    def text(self, text: str) -> str:
        """Normalized text without the alignment, in less time and memory. Lone surrogates become U+FFFD first."""


class Step(Protocol):
    """One step of a normalizer.

    Optional attributes, found by name: `rewrite(text)`: the changed text, faster; `about(text)`: a text of about its
    length, faster still; `growth(ascii)`: largest number of characters that one becomes; `writes_beyond_ascii`: whether
    ASCII can become other characters; `divides(text, at)`: whether the text can be changed in parts;
    `is_apart(text, at)`: whether text far before a place changes independently of text far after it, as it does where
    the text `divides`; `begins(text)`: whether the beginning of a text changes without shifting the alignment of the
    rest; `is_lean`: whether changing a text as a whole takes no more memory than in parts; `maps_bytes`: whether
    characters represent bytes afterwards; `writes_marks`: whether it only writes ▁ for spaces; `settles`: names of the
    `Settings` that it determines; `adjusted(to)`: the step with other settings; `form_step(form)`: the step for a
    Unicode form that is added to the same chain.

    >>> step: Step = Lowercase()
    >>> step.name, step.change("A")[0]
    ('lower case', 'a')
    """

    @property
    def name(self) -> str:
        """Name of the step: "NFC", "lower case", "accents", "clean-up", …"""

    def change(self, text: str) -> Change:
        """Changed text, and the original character range of each of its characters."""


@dataclass(frozen=True)
class OfForm:
    """A step that determines the Unicode form: `Form`, and that of another library.

    >>> Form("NFC").name, Form("NFC").settles
    ('NFC', ('form',))
    """

    form: UnicodeForm
    settles: ClassVar[tuple[str, ...]] = ("form",)

    @property
    def name(self) -> str:
        """Name of the form."""
        return self.form

    def adjusted(self, to: Settings) -> Self | None:
        """The step with another form; None for "none".

        >>> Form("NFC").adjusted(Settings("NFKC")), Form("NFC").adjusted(Settings("none"))
        (Form(form='NFKC'), None)
        """
        return self if to.form is None else None if to.form == "none" else replace(self, form=to.form)

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes.

        >>> Form("NFKC").growth(False)
        18
        """
        return 1 if ascii else LONGEST_FORM[self.form]


@dataclass(frozen=True)
class Form(OfForm):
    """A Unicode normalization form.

    >>> Form("NFC").name, Form("NFC").change("e\\u0301")[0]
    ('NFC', 'é')
    """

    def change(self, text: str) -> Change:
        """Text in the form."""
        return unicode_forms.by_segments(text, partial(unicode_forms.unicode_form, self.form))

    def divides(self, text: str, at: int) -> bool:
        """Whether the text can be divided here: both parts then change as they do in the whole.

        >>> Form("NFC").divides("e\\u0301x", 1), Form("NFC").divides("e\\u0301x", 2)
        (False, True)
        """
        return unicode_forms.begins_segment(text[at])

    def rewrite(self, text: str) -> str:
        """Changed text without the alignment.

        >>> Form("NFC").rewrite("e\\u0301")
        'é'
        """
        return unicode_forms.unicode_form(self.form, text)


@dataclass(frozen=True)
class Lowercase:
    """Lower case of the whole text, or (`each`) of every character independently, which never gives a final ς.

    >>> Lowercase().change("ΟΔΟΣ")[0], Lowercase(each=True).change("ΟΔΟΣ")[0]
    ('οδος', 'οδοσ')
    """

    each: bool = False
    name: str = message("lower case")
    settles: ClassVar[tuple[str, ...]] = ("lowercase",)

    def adjusted(self, to: Settings) -> Lowercase | None:
        """The step; None if lower case is off.

        >>> Lowercase().adjusted(Settings(lowercase=False)) is None
        True
        """
        return None if to.lowercase is False else self

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes.

        >>> Lowercase().growth(True)
        1
        """
        return 1 if ascii else 3

    def change(self, text: str) -> Change:
        """Text in lower case."""
        return normalization.lower_each(text) if self.each else normalization.lower(text)

    def divides(self, text: str, at: int) -> bool:
        """Whether the text can be divided here: both parts then change as they do in the whole.

        >>> Lowercase().divides("ΑΣ Α", 2), Lowercase().divides("ΑΣΑ", 2)
        (True, False)
        """
        return self.each or normalization.ends_cased_word(text[at])

    def rewrite(self, text: str) -> str:
        """Changed text without the alignment.

        >>> Lowercase().rewrite("ΟΔΟΣ")
        'οδος'
        """
        return normalization.lower_each_text(text) if self.each else text.lower()


@dataclass(frozen=True)
class StripAccents:
    """Decomposes, drops nonspacing marks (category Mn), and composes again if `compose`.

    >>> StripAccents().change("Ångström")[0]
    'Angstrom'
    """

    compose: bool = True
    name: str = message("accents")
    settles: ClassVar[tuple[str, ...]] = ("strip_accents",)

    def adjusted(self, to: Settings) -> StripAccents | None:
        """The step; None if accents are kept.

        >>> StripAccents().adjusted(Settings(strip_accents=False)) is None
        True
        """
        return None if to.strip_accents is False else self

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes.

        >>> StripAccents().growth(False)
        4
        """
        return 1 if ascii else LONGEST_FORM["NFD"]

    def change(self, text: str) -> Change:
        """Text without nonspacing marks."""
        return unicode_forms.by_segments(
            text, partial(unicode_forms.without_marks, compose=self.compose), drops_marks=True
        )

    def divides(self, text: str, at: int) -> bool:
        """Whether the text can be divided here: both parts then change as they do in the whole.

        >>> StripAccents().divides("e\\u0301x", 1), StripAccents().divides("e\\u0301x", 2)
        (False, True)
        """
        return unicode_forms.begins_segment(text[at], drops_marks=True)

    def rewrite(self, text: str) -> str:
        """Changed text without the alignment.

        >>> StripAccents().rewrite("Ångström")
        'Angstrom'
        """
        return unicode_forms.without_marks(text, compose=self.compose)


@dataclass(frozen=True)
class CleanText(windows.EachAlone):
    """Drops control and format characters and U+FFFD, and turns white space into spaces, as BERT does.

    >>> CleanText().change("a\\tb\\0")[0]
    'a b'
    """

    name: str = message("clean-up")

    def growth(self, ascii: bool) -> int:
        """Largest number of characters that one character becomes.

        >>> CleanText().growth(False)
        1
        """
        return 1

    def change(self, text: str) -> Change:
        """Text without control characters, format characters and U+FFFD."""
        return normalization.clean(text)


@dataclass(frozen=True)
class Chain:
    """Steps applied in order; without any, texts stay unchanged.

    >>> Chain((Form("NFC"), Lowercase())).normalize("Cafe\\u0301").text
    'café'
    """

    steps: tuple[Step, ...] = ()

    def normalize(self, text: str) -> Normalized:
        """Text after all steps, aligned to the original. Lone surrogates become U+FFFD first."""
        unchanged = Normalized.of(text)
        if not self.steps or not text:
            return unchanged
        original, result, spans = unchanged.text, unchanged.text, None
        growth.check_steps(self.steps, original)
        with taking(lambda: growth.needed(self.steps, original)):
            for step in self.steps:
                changed, origin = windows.changed(step, result)
                if changed != result or not is_unmoved(origin):
                    spans = _following(spans, origin)
                    result = changed
        return Normalized(result, original, unchanged.surrogates, spans)

    def normalize_each(self, texts: Sequence[str]) -> list[Normalized]:
        """Each text as `normalize` changes it alone; for many short texts several times faster.

        >>> [normalized.text for normalized in Chain((Form("NFC"), Lowercase())).normalize_each(["E\\u0301", "", "É"])]
        ['é', '', 'é']
        """
        unchanged = [Normalized.of(text) for text in texts]
        whole = "".join([each.text for each in unchanged])
        if not self.steps or growth.bounded(self.steps, whole) > normalization.MOST_CHARACTERS:
            return [self.normalize(text) for text in texts]
        places = [at for at, each in enumerate(unchanged) if each.text]
        results = [unchanged[at].text for at in places]
        spans: list[npt.NDArray[np.int64] | None] = [None] * len(places)
        with taking(lambda: growth.needed(self.steps, whole)):
            for step in self.steps:
                for at, (changed, origin) in enumerate(windows.changed_each(step, results)):
                    if changed != results[at] or not is_unmoved(origin):
                        spans[at] = _following(spans[at], origin)
                        results[at] = changed
        for at, result, span in zip(places, results, spans, strict=True):
            unchanged[at] = Normalized(result, unchanged[at].text, unchanged[at].surrogates, span)
        return unchanged

    def text(self, text: str) -> str:
        """Text after all steps, without the alignment. Lone surrogates become U+FFFD first.

        >>> Chain((Form("NFKC"), Lowercase())).text("Ｆ ﬁ")
        'f fi'
        """
        result = normalization.replace_surrogates(text)[0]
        for step in self.steps if text else ():
            result = growth.rewritten(step, result)
        return result


def _following(spans: npt.NDArray[np.int64] | None, origins: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Origins in the original after one more step."""
    return origins if spans is None else normalization.apart(normalization.chained(spans, origins))


IDENTITY = Chain()
"""No-op normalizer."""


def aligned_spans(origins: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Original range of each character normalized by another library: int64 (characters, 2), in characters.

    `origins`: start of each character's origin, then the length of the original. Characters with the same origin share
    its range, which ends where the next origin begins.

    >>> aligned_spans(np.array([0, 0, 1, 3])).tolist()
    [[0, 1], [0, 1], [1, 3]]
    """
    following = np.append(np.flatnonzero(np.diff(origins)) + 1, len(origins))  # start of the next origin
    ends = np.repeat(origins[np.minimum(following, len(origins) - 1)], np.diff(following, prepend=0))
    return np.stack((origins[:-1], ends[:-1]), axis=1)
