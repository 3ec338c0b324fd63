"""Normalizers: values that say how a text is changed before it is split, with its characters aligned to the original.

A normalizer is a chain of steps. What a step does is in normalization.py; here are the values that tokenizers are
composed of, that the formats read and write, and that the Pipeline page shows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from bpe_core.language import message
from bpe_core.text import growth, normalization, unicode_forms, windows
from bpe_core.text.library_normalizers import BertNormalizer, DropMarks, LibraryForm
from bpe_core.text.normalization import LONGEST_FORM, Change, Normalized, UnicodeForm
from bpe_core.work import taking

Normalization = Literal["none", "NFC", "NFD", "NFKC", "NFKD"]
NORMALIZATIONS: tuple[Normalization, ...] = ("none", "NFC", "NFD", "NFKC", "NFKD")


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

    @property
    def name(self) -> str:
        """The name of the form."""
        return self.form

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


class NormalizationSettings(Protocol):
    """The settings of a training that say how texts are normalized. A `TrainConfig` has them.

    >>> from bpe_core import TrainConfig
    >>> settings: NormalizationSettings = TrainConfig(normalization="NFC", lowercase=True)
    >>> settings.normalization, settings.lowercase, settings.strip_accents
    ('NFC', True, False)
    """

    @property
    def normalization(self) -> Normalization:
        """The Unicode form, or "none"."""

    @property
    def lowercase(self) -> bool:
        """Whether the text becomes lower case."""

    @property
    def strip_accents(self) -> bool:
        """Whether nonspacing marks are dropped."""


def normalizer_of(settings: NormalizationSettings) -> Chain:
    """The normalizer of a training: Unicode form, then lower case, then accents.

    >>> from bpe_core import TrainConfig
    >>> [step.name for step in normalizer_of(TrainConfig(normalization="NFKC", lowercase=True)).steps]
    ['NFKC', 'lower case']
    """
    return standard_chain(settings.normalization, lowercase=settings.lowercase, strip_accents=settings.strip_accents)


def standard_chain(
    form: Normalization, *, lowercase: bool, strip_accents: bool, clean: bool = False, each: bool = False
) -> Chain:
    """The steps asked for, in order: clean-up, Unicode form, lower case (of `each` character by itself), accents.

    >>> standard_chain("NFD", lowercase=False, strip_accents=True).steps
    (Form(form='NFD'), StripAccents(compose=False, name='accents'))
    """
    steps: list[Step] = [CleanText()] if clean else []
    steps += [] if form == "none" else [Form(form)]
    steps += [Lowercase(each)] if lowercase else []
    steps += [StripAccents(compose=form not in ("NFD", "NFKD"))] if strip_accents else []
    return Chain(tuple(steps))


def with_changes(
    normalizer: Normalizer,
    *,
    normalization: Normalization | None = None,
    lowercase: bool | None = None,
    strip_accents: bool | None = None,
) -> Chain:
    """A normalizer with another Unicode form, lower case or accents; None leaves a step as it is.

    All other steps of the normalizer stay where they are.

    >>> with_changes(Chain((Form("NFC"),)), lowercase=True).steps
    (Form(form='NFC'), Lowercase(each=False, name='lower case'))
    """
    steps = normalizer.steps
    if not all(isinstance(step, (CleanText, Form, Lowercase, StripAccents)) for step in steps):
        return _changed_in_place(steps, normalization, lowercase, strip_accents)
    form: Normalization = next((step.form for step in steps if isinstance(step, Form)), "none")
    lower = [step for step in steps if isinstance(step, Lowercase)]
    accents = any(isinstance(step, StripAccents) for step in steps)
    return standard_chain(
        form if normalization is None else normalization,
        lowercase=bool(lower) if lowercase is None else lowercase,
        strip_accents=accents if strip_accents is None else strip_accents,
        clean=any(isinstance(step, CleanText) for step in steps),
        each=any(step.each for step in lower),
    )


def _changed_in_place(
    steps: tuple[Step, ...], form: Normalization | None, lowercase: bool | None, strip_accents: bool | None
) -> Chain:
    """Steps of another program's normalizer with changes: all others stay, in order; what is new comes at the end."""
    changed: list[Step] = []
    for step in steps:
        match step:
            case Form() | LibraryForm() if form is not None:
                if form != "none":
                    changed.append(replace(step, form=form))
            case Lowercase() if lowercase is False:
                pass
            case StripAccents() | DropMarks() if strip_accents is False:
                pass
            case BertNormalizer(lowercase=lowers):
                accents = step.strips if strip_accents is None else strip_accents
                lowers = lowers if lowercase is None else lowercase
                changed.append(
                    step
                    if (accents, lowers) == (step.strips, step.lowercase)
                    else replace(step, strip_accents=accents, lowercase=lowers)
                )
            case _:
                changed.append(step)
    forms = [step.form for step in changed if isinstance(step, (Form, LibraryForm))]
    if form is not None and form != "none" and not forms:
        changed.append(LibraryForm(form))
        forms = [form]
    bert = [step for step in changed if isinstance(step, BertNormalizer)]
    if lowercase and not any(isinstance(step, Lowercase) for step in changed) and not bert:
        changed.append(Lowercase(each=True))
    if strip_accents and not any(isinstance(step, (StripAccents, DropMarks)) for step in changed) and not bert:
        changed.append(StripAccents(compose=forms[-1:] not in (["NFD"], ["NFKD"])))
    return Chain(tuple(changed))


def normalize(text: str, settings: NormalizationSettings) -> Normalized:
    """Normalize `text` as a training's settings say.

    >>> from bpe_core import TrainConfig
    >>> normalize("Cafe\\u0301", TrainConfig(normalization="NFC", lowercase=True)).text
    'café'
    """
    return normalizer_of(settings).normalize(text)


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
