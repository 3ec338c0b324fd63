"""Normalizers: values that say how a text is changed before it is split, with its characters aligned to the original.

A normalizer is a chain of steps. What a step does is in normalization.py; here are the values that tokenizers are
composed of, that the formats read and write, and that the Pipeline page shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from bpe_core.language import message
from bpe_core.text import growth, normalization, unicode_forms, windows
from bpe_core.text.normalization import LONGEST_FORM, Change, Normalized, UnicodeForm
from bpe_core.work import taking

Normalization = Literal["none", "NFC", "NFD", "NFKC", "NFKD"]
NORMALIZATIONS: tuple[Normalization, ...] = ("none", "NFC", "NFD", "NFKC", "NFKD")


class Settings(NamedTuple):
    """What a normalizer is to do; None for what stays as it is.

    >>> Settings(lowercase=True)
    Settings(form=None, lowercase=True, strip_accents=None)
    """

    form: Normalization | None = None
    lowercase: bool | None = None
    strip_accents: bool | None = None


class Normalizer(Protocol):
    """What a tokenizer does to a text before anything else.

    >>> normalizer: Normalizer = Chain((Form("NFC"), Lowercase()))
    >>> [step.name for step in normalizer.steps], normalizer.normalize("É").text
    (['NFC', 'lower case'], 'é')
    """

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order; none if texts stay as they are."""

    def normalize(self, text: str) -> Normalized:
        """The normalized text, aligned to the original. Lone surrogates become U+FFFD first."""

    def text(self, text: str) -> str:
        """The normalized text alone, in less time and memory. Lone surrogates become U+FFFD first."""


class Step(Protocol):
    """One step of a normalizer.

    A step may have more, which is looked for by name: `rewrite(text)` and `about(text)`, the changed text, or one of
    about its length, in less time; `growth(ascii)`, the most characters that one becomes; `divides(text, at)`, whether
    the text may be changed in parts; `is_lean`, whether it takes no more memory as a whole; `maps_bytes`, whether
    characters stand for bytes afterwards; `writes_marks`, whether it only writes ▁ for spaces. `settles` names the
    `Settings` that it decides, `adjusted(to)` gives it with others, and `form_step(form)` the step that adds a Unicode
    form beside it.

    >>> step: Step = Lowercase()
    >>> step.name, step.change("A")[0]
    ('lower case', 'a')
    """

    @property
    def name(self) -> str:
        """The name of the step: "NFC", "lower case", "accents", "clean-up", …"""

    def change(self, text: str) -> Change:
        """The changed text, and the character range that each of its characters came from."""


@dataclass(frozen=True)
class Form:
    """A Unicode normalization form.

    >>> Form("NFC").name, Form("NFC").change("e\\u0301")[0]
    ('NFC', 'é')
    """

    form: UnicodeForm
    settles: ClassVar[tuple[str, ...]] = ("form",)

    @property
    def name(self) -> str:
        """The name of the form."""
        return self.form

    def adjusted(self, to: Settings) -> Form | None:
        """The step with another form; None for "none".

        >>> Form("NFC").adjusted(Settings("NFKC")), Form("NFC").adjusted(Settings("none"))
        (Form(form='NFKC'), None)
        """
        return self if to.form is None else None if to.form == "none" else replace(self, form=to.form)

    def growth(self, ascii: bool) -> int:
        """The most characters that one character becomes.

        >>> Form("NFKC").growth(False)
        18
        """
        return 1 if ascii else LONGEST_FORM[self.form]

    def change(self, text: str) -> Change:
        """The text in the form."""
        return unicode_forms.by_segments(text, partial(unicode_forms.unicode_form, self.form))

    def divides(self, text: str, at: int) -> bool:
        """Whether what is before and from this place on changes alone as in the whole.

        >>> Form("NFC").divides("e\\u0301x", 1), Form("NFC").divides("e\\u0301x", 2)
        (False, True)
        """
        return unicode_forms.begins_segment(text[at])

    def rewrite(self, text: str) -> str:
        """The changed text alone.

        >>> Form("NFC").rewrite("e\\u0301")
        'é'
        """
        return unicode_forms.unicode_form(self.form, text)


@dataclass(frozen=True)
class Lowercase:
    """Lower case of the whole text, or (`each`) of every character by itself, which never gives a final ς.

    >>> Lowercase().change("ΟΔΟΣ")[0], Lowercase(each=True).change("ΟΔΟΣ")[0]
    ('οδος', 'οδοσ')
    """

    each: bool = False
    name: str = message("lower case")
    settles: ClassVar[tuple[str, ...]] = ("lowercase",)

    def adjusted(self, to: Settings) -> Lowercase | None:
        """The step; None if there is to be no lower case.

        >>> Lowercase().adjusted(Settings(lowercase=False)) is None
        True
        """
        return None if to.lowercase is False else self

    def growth(self, ascii: bool) -> int:
        """The most characters that one character becomes.

        >>> Lowercase().growth(True)
        1
        """
        return 1 if ascii else 3

    def change(self, text: str) -> Change:
        """The text in lower case."""
        return normalization.lower_each(text) if self.each else normalization.lower(text)

    def divides(self, text: str, at: int) -> bool:
        """Whether what is before and from this place on changes alone as in the whole.

        >>> Lowercase().divides("ΑΣ Α", 2), Lowercase().divides("ΑΣΑ", 2)
        (True, False)
        """
        return self.each or normalization.ends_cased_word(text[at])

    def rewrite(self, text: str) -> str:
        """The changed text alone.

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
        """The step; None if accents are to stay.

        >>> StripAccents().adjusted(Settings(strip_accents=False)) is None
        True
        """
        return None if to.strip_accents is False else self

    def growth(self, ascii: bool) -> int:
        """The most characters that one character becomes.

        >>> StripAccents().growth(False)
        4
        """
        return 1 if ascii else LONGEST_FORM["NFD"]

    def change(self, text: str) -> Change:
        """The text without nonspacing marks."""
        return unicode_forms.by_segments(
            text, partial(unicode_forms.without_marks, compose=self.compose), drops_marks=True
        )

    def divides(self, text: str, at: int) -> bool:
        """Whether what is before and from this place on changes alone as in the whole.

        >>> StripAccents().divides("e\\u0301x", 1), StripAccents().divides("e\\u0301x", 2)
        (False, True)
        """
        return unicode_forms.begins_segment(text[at], drops_marks=True)

    def rewrite(self, text: str) -> str:
        """The changed text alone.

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
        """The most characters that one character becomes.

        >>> CleanText().growth(False)
        1
        """
        return 1

    def change(self, text: str) -> Change:
        """The text without control characters, format characters and U+FFFD."""
        return normalization.clean(text)


@dataclass(frozen=True)
class Chain:
    """Several steps, one after another; with no steps, nothing changes.

    >>> Chain((Form("NFC"), Lowercase())).normalize("Cafe\\u0301").text
    'café'
    """

    steps: tuple[Step, ...] = ()

    def normalize(self, text: str) -> Normalized:
        """The text after all steps, aligned to the original. Lone surrogates become U+FFFD first."""
        unchanged = Normalized.of(text)
        if not self.steps or not text:
            return unchanged
        original, result, spans = unchanged.text, unchanged.text, None
        growth.check_steps(self.steps, original)
        with taking(lambda: growth.needed(self.steps, original)):
            for step in self.steps:
                changed, origin = windows.changed(step, result)
                if changed != result:
                    spans = origin if spans is None else normalization.chained(spans, origin)
                    result = changed
        return Normalized(result, original, unchanged.surrogates, spans)

    def text(self, text: str) -> str:
        """The text after all steps, and nothing else. Lone surrogates become U+FFFD first.

        >>> Chain((Form("NFKC"), Lowercase())).text("Ｆ ﬁ")
        'f fi'
        """
        result = normalization.replace_surrogates(text)[0]
        for step in self.steps if text else ():
            result = growth.rewritten(step, result)
        return result


IDENTITY = Chain()
"""The normalizer that changes nothing."""


def aligned_spans(origins: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The original range of each character that another library normalized: int64 (characters, 2), in characters.

    `origins`: for each character, where its origin begins, and at the end the length of the original. Characters of one
    origin share its range, which ends where the next origin begins.

    >>> aligned_spans(np.array([0, 0, 1, 3])).tolist()
    [[0, 1], [0, 1], [1, 3]]
    """
    following = np.append(np.flatnonzero(np.diff(origins)) + 1, len(origins))  # where the next origin begins
    ends = np.repeat(origins[np.minimum(following, len(origins) - 1)], np.diff(following, prepend=0))
    return np.stack((origins[:-1], ends[:-1]), axis=1)
