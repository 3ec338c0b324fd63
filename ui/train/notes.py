"""Notes about a text under the settings: replaced, dropped or kept characters."""

from __future__ import annotations

from bpe_core import BpeError
from bpe_core.language import _, n_
from bpe_core.text.normalizer_settings import normalize
from bpe_core.text.splits import PATTERNS
from ui.train import cache
from ui.train.step import WINDOW, Step
from ui.widgets.display import base_title
from ui.widgets.messages import note


def show_notes(step: Step) -> None:
    """Draw the notes, one per line."""
    for text in notes_on(step):
        note(text)


def notes_on(step: Step) -> list[str]:
    """The notes as sentences."""
    notes = [] if step.training.base is None else [_gained(step, base_title(step.config))]
    replaced = step.training.surrogates
    if replaced:
        notes.append(
            n_(
                "{count:,} lone surrogate has no UTF-8 encoding and became U+FFFD (�) before anything else.",
                "{count:,} lone surrogates have no UTF-8 encoding and became U+FFFD (�) before anything else.",
                replaced,
            )
        )
    if step.config.split == "words" and any(map(str.isspace, step.source.text)):
        notes.append(_about_white_space(step.config.end_of_word))
    elif step.config.end_of_word:
        notes.append(
            _(
                "Decoding turns every {mark} into a space, in addition to the white space that is kept.",
                mark=step.config.end_of_word,
            )
        )
    elif step.config.split not in PATTERNS and _drops(step):
        notes.append(_("Your pattern skips characters of this text: they belong to no token and have no colour."))
    if "\r\n" in step.source.text:
        notes.append(_("Lines end with CR LF here: two characters, and both are trained on."))
    return notes


def _gained(step: Step, base: str) -> str:
    """Sentence on how many tokens a training that continues from a tokenizer saves."""
    before, after = step.training.token_count(0), step.training.token_count(step.last)
    return n_(
        "Continues from {base}, whose ids are kept: {before:,} tokens with it, {after:,} with {count:,} new merge, "
        "{share:.1%} fewer.",
        "Continues from {base}, whose ids are kept: {before:,} tokens with it, {after:,} with {count:,} new merges, "
        "{share:.1%} fewer.",
        step.last,
        base=base,
        before=before,
        after=after,
        share=step.at(step.last).saved,
    )


def _about_white_space(mark: str) -> str:
    if not mark:
        return _("The split into words drops white space: it belongs to no token.")
    return _(
        "The split into words drops white space: it belongs to no token; decoding turns every {mark} into one space.",
        mark=mark,
    )


def _drops(step: Step) -> bool:
    """Whether the split drops characters from the start of the text."""
    text = normalize(step.source.text[:WINDOW], step.config).text
    words = cache.words_of(text, step.config.split)
    return not isinstance(words, BpeError) and bool(words.gaps)
