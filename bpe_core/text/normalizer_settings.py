"""Normalizers from settings: those of a training, and changes to an existing normalizer."""

from __future__ import annotations

from typing import Protocol

from bpe_core.text.normalization import Normalized
from bpe_core.text.normalizers import (
    Chain,
    CleanText,
    Form,
    Lowercase,
    Normalization,
    Normalizer,
    Settings,
    Step,
    StripAccents,
)


class NormalizationSettings(Protocol):
    """Normalization settings of a training, such as a `TrainConfig`.

    >>> from bpe_core import TrainConfig
    >>> settings: NormalizationSettings = TrainConfig(normalization="NFC", lowercase=True)
    >>> settings.normalization, settings.lowercase, settings.strip_accents
    ('NFC', True, False)
    """

    @property
    def normalization(self) -> Normalization:
        """Unicode form, or "none"."""

    @property
    def lowercase(self) -> bool:
        """Whether text is lowercased."""

    @property
    def strip_accents(self) -> bool:
        """Whether nonspacing marks are dropped."""


def normalizer_of(settings: NormalizationSettings) -> Chain:
    """Normalizer of a training: Unicode form, then lower case, then accents.

    >>> from bpe_core import TrainConfig
    >>> [step.name for step in normalizer_of(TrainConfig(normalization="NFKC", lowercase=True)).steps]
    ['NFKC', 'lower case']
    """
    return standard_chain(settings.normalization, lowercase=settings.lowercase, strip_accents=settings.strip_accents)


def standard_chain(
    form: Normalization, *, lowercase: bool, strip_accents: bool, clean: bool = False, each: bool = False
) -> Chain:
    """Requested steps in order: clean-up, Unicode form, lower case (of `each` character independently), accents.

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
    """Change a normalizer's Unicode form, lower case or accents; None leaves a step unchanged.

    All other steps stay in place.

    >>> with_changes(Chain((Form("NFC"),)), lowercase=True).steps
    (Form(form='NFC'), Lowercase(each=False, name='lower case'))
    """
    steps = normalizer.steps
    if not all(isinstance(step, (CleanText, Form, Lowercase, StripAccents)) for step in steps):
        return _changed_in_place(steps, Settings(normalization, lowercase, strip_accents))
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


def _changed_in_place(steps: tuple[Step, ...], to: Settings) -> Chain:
    """Change steps of another program's normalizer in place; new steps are appended."""
    adjusted = [step.adjusted(to) if hasattr(step, "adjusted") else step for step in steps]
    changed: list[Step] = [step for step in adjusted if step is not None]
    settled = {setting for step in changed for setting in getattr(step, "settles", ())}
    if to.form is not None and to.form != "none" and "form" not in settled:
        changed.append(next((step.form_step for step in steps if hasattr(step, "form_step")), Form)(to.form))
    if to.lowercase and "lowercase" not in settled:
        changed.append(Lowercase(each=True))
    if to.strip_accents and "strip_accents" not in settled:
        forms = [step.form for step in changed if hasattr(step, "form")]
        changed.append(StripAccents(compose=forms[-1:] not in (["NFD"], ["NFKD"])))
    return Chain(tuple(changed))


def normalize(text: str, settings: NormalizationSettings) -> Normalized:
    """Normalize `text` by a training's settings.

    >>> from bpe_core import TrainConfig
    >>> normalize("Cafe\\u0301", TrainConfig(normalization="NFC", lowercase=True)).text
    'café'
    """
    return normalizer_of(settings).normalize(text)
