"""Cause of a disagreement between two tokenizers on a region, and a sentence with the evidence.

Both tokenizers have a boundary at either end of a region and share none inside. No merge crosses a final boundary, so
each segmentation of the region depends on nothing outside it. Hence the causes; the first that applies is given:

missing token   a character is in only one vocabulary: the other has <unk> there
special token   one has a special token where the other has plain text
normalization   the normalized characters differ
split           one split has a boundary inside the region, and a token of the other tokenizer crosses it
missing token   one's token is not in the other's vocabulary, so the other cannot have the same segmentation
earlier merge   both have all the tokens, but an earlier merge consumed a part
choice          the same for a tokenizer without merges: it takes the longest match, or the best score
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from bpe_core.comparison.boundaries import Region, SegmentedText
from bpe_core.comparison.choices import choice
from bpe_core.comparison.evidence import Piece, Side, after_another, plain, tokens
from bpe_core.comparison.merge_order import earlier_merge
from bpe_core.language import Sentence, TranslatableMessage, listed, message, sentence
from bpe_core.text.split_reasons import why_kept, why_split
from bpe_core.text.split_tables import as_the_library_sees
from bpe_core.text.splits import Split
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordpiece.model import LongestMatch

Cause = Literal["split", "missing token", "earlier merge", "choice", "special token", "normalization"]

CAUSES: tuple[Cause, ...] = ("split", "missing token", "earlier merge", "choice", "special token", "normalization")


class Reason(NamedTuple):
    """Cause of a disagreement, a sentence with the evidence, and both segmentations.

    The sentence alternates text and pieces. It is in English, and `in_language` translates it; `left` and `right` are
    the segmentations of the region.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
    >>> reason = comparison.reason("a", "b", 0, 3)
    >>> reason.cause, reason.sentence[1], reason.right.ids
    ('missing token', Piece(data=b'   ', tokenizer='b', id=262), (262,))
    >>> reason.explanation[:63]
    'Neither split cuts here. b has a token of 3 spaces, “···” (262)'
    """

    cause: Cause
    sentence: Sentence
    left: Region
    right: Region

    @property
    def explanation(self) -> str:
        """Sentence as plain text, in English, tokens in quotation marks with their ids."""
        return plain(self.sentence)


def explain(left: SegmentedText, left_region: Region, right: SegmentedText, right_region: Region) -> Reason:
    """Cause of one disagreement, with the evidence.

    >>> from bpe_core import load_pretrained
    >>> models = {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")}
    >>> a, b = (SegmentedText(name, model, model.encode("    x")) for name, model in models.items())
    >>> explain(a, a.region(0, 3), b, b.region(0, 3)).cause
    'missing token'
    """
    cause, explanation = _explain(Side(left, left_region), Side(right, right_region))
    return Reason(cause, explanation, left_region, right_region)


def _explain(a: Side, b: Side) -> tuple[Cause, Sentence]:
    both = ((a, b), (b, a))
    for side, rival in both:
        if explanation := _unknown(side, rival):
            return "missing token", explanation
    for side, rival in both:
        if explanation := _special(side, rival):
            return "special token", explanation
    if a.region.data != b.region.data:
        first, second = sorted((a, b), key=lambda side: side.region.data == side.region.original)
        return "normalization", after_another(_normalized(first), _normalized(second))
    for side, rival in both:
        if explanation := _split(side, rival):
            return "split", explanation
    fewest_first = sorted(both, key=lambda pair: len(pair[0].region.ids))
    for side, rival in fewest_first:
        if explanation := _missing(side, rival):
            return "missing token", explanation
    if a.rule == b.rule == "merges":
        return "earlier merge", earlier_merge(a, b)
    both_merge = {a.rule, b.rule} <= {"merges", "scored merges"}
    return ("earlier merge" if both_merge else "choice"), choice(a, b)


# -- each cause with its sentence; None if it does not apply -----------------------------------------------------


def _unknown(side: Side, rival: Side) -> Sentence | None:
    if side.tokenizer.unknown_id is None:
        return None
    known = [side.region.starts[i : i + 1] + side.region.ends[i : i + 1] for i in _unknowns(side)]
    theirs = [(rival.region.starts[i], rival.region.ends[i]) for i in _unknowns(rival)]
    for at, (start, end) in zip(_unknowns(side), known, strict=True):
        if any(first <= start and end <= last for first, last in theirs):
            continue  # unknown to both
        named = tokens(rival, rival.tokens_in(start, end))
        if any(first < end and start < last for first, last in theirs):
            instead = sentence("{name} takes {tokens}.", name=rival.name, tokens=named)
        else:
            instead = sentence("{name} has it: {tokens}.", name=rival.name, tokens=named)
        return after_another(_never_seen(side, side.region.original[start:end], side.token(at)), instead)
    return None


def _unknowns(side: Side) -> list[int]:
    unknown = side.tokenizer.unknown_id
    if unknown is None:
        return []
    region = side.region
    tokens_of_region = zip(region.ids, region.starts, region.ends, strict=True)
    return [i for i, (token_id, start, end) in enumerate(tokens_of_region) if token_id == unknown and start < end]


def _never_seen(side: Side, text: bytes, unknown: Piece) -> Sentence:
    """Reason why a text becomes the unknown token."""
    tokenizer, name = side.tokenizer, side.name
    model = tokenizer.model
    word = tokenizer.normalizer.normalize(text.decode("utf-8", "replace")).text
    if model.rule == "longest match":
        return _stuck(side, Piece(text), word, unknown)
    if model.rule == "whole words":
        return sentence(
            "{name} has no token for the word {word}, so it becomes {unknown}.",
            name=name,
            word=Piece(text),
            unknown=unknown,
        )
    if model.kind == "unigram" and cast("UnigramModel", model).unknown == "word":
        character = next((char for char in word.strip() if model.log_probability([char]) is None), word)
        return sentence(
            "{name} has no piece for {character}, so the whole word becomes {unknown}.",
            name=name,
            character=Piece(character.encode()),
            unknown=unknown,
        )
    if model.merges is None:
        return sentence(
            "{name} has never seen {text}, so it becomes {unknown}.", name=name, text=Piece(text), unknown=unknown
        )
    return sentence(
        "{name} was trained on characters and has never seen {text}, so it becomes {unknown}.",
        name=name,
        text=Piece(text),
        unknown=unknown,
    )


def _stuck(side: Side, text: Piece, word: str, unknown: Piece) -> Sentence:
    """The same for a longest-match model."""
    matches: list[LongestMatch] = side.tokenizer.model.explain(word)
    if not matches or matches[-1].id is not None:
        return sentence(
            "{name} turns the whole word {word} into {unknown}.", name=side.name, word=text, unknown=unknown
        )
    start = matches[-1].start
    char = word[start].encode()
    if not start:
        return sentence(
            "{name} has no token that begins with {character}, so the whole word becomes {unknown}.",
            name=side.name,
            character=Piece(char),
            unknown=unknown,
        )
    return sentence(
        "{name} gets stuck after {matched}: no token begins with {character}, so the whole word becomes {unknown}.",
        name=side.name,
        matched=Piece(word[:start].encode()),
        character=Piece(side.tokenizer.model.written(char, begins=False, ends=False)),
        unknown=unknown,
    )


def _special(side: Side, rival: Side) -> Sentence | None:
    for index, special in enumerate(side.region.special):
        if special and side.region.ids[index] != side.tokenizer.unknown_id:
            touched = rival.tokens_in(side.region.starts[index], side.region.ends[index])
            return sentence(
                "{token} is a special token of {name}, taken whole before the text is split. {other} has no such "
                "special token and reads it as plain text: {tokens}.",
                token=side.token(index),
                name=side.name,
                other=rival.name,
                tokens=tokens(rival, touched),
            )
    return None


def _normalized(side: Side) -> Sentence:
    name, before, after = side.name, Piece(side.region.original), Piece(side.region.data)
    if side.region.data == side.region.original:
        return sentence("{name} reads {text} unchanged.", name=name, text=before)
    steps = _normalization(side)
    if not side.region.data:
        return sentence("{name} first removes {text} ({steps}).", name=name, text=before, steps=steps)
    return sentence(
        "{name} first changes {before} to {after} ({steps}).", name=name, before=before, after=after, steps=steps
    )


def _split(side: Side, rival: Side) -> Sentence | None:
    for at in side.region.split_boundaries:
        crossing = next(
            (i for i in rival.tokens_in(at - 1, at + 1) if rival.region.starts[i] < at < rival.region.ends[i]),
            None,
        )
        if crossing is not None:
            dropped = next((each for each in side.region.dropped if each[0] <= at <= each[1]), None)
            return _cut(side, rival, at, crossing) if dropped is None else _dropped(side, rival, dropped, [crossing])
    for dropped in side.region.dropped:
        if rival.has_boundary_inside(*dropped):
            return _dropped(side, rival, dropped, rival.tokens_in(*dropped))
    return None


def _dropped(side: Side, rival: Side, dropped: tuple[int, int], keeping: Sequence[int]) -> Sentence:
    """Sentence for text outside of all words of the split."""
    text = side.region.original[slice(*dropped)]
    if text.decode("utf-8", "replace").isspace():
        return sentence(
            "{name}'s split drops the white space {text}: it belongs to none of its words. {other} keeps it, in "
            "{tokens}.",
            name=side.name,
            text=Piece(text),
            other=rival.name,
            tokens=tokens(rival, keeping),
        )
    return sentence(
        "{name}'s split leaves out {text}: it belongs to none of its words. {other} keeps it, in {tokens}.",
        name=side.name,
        text=Piece(text),
        other=rival.name,
        tokens=tokens(rival, keeping),
    )


def _seen_by(side: Side, text: str) -> str:
    """Text as the split of this side classifies its characters."""
    split = side.tokenizer.split
    return as_the_library_sees(text) if isinstance(split, Split) and split.library else text


def _cut(side: Side, rival: Side, at: int, crossing: int) -> Sentence:
    """Sentence for a boundary of one split inside a token of the other tokenizer."""
    region = side.region
    boundaries = (0, *region.split_boundaries, len(region.original))
    start, end = max(each for each in boundaries if each < at), min(each for each in boundaries if each > at)
    before, after = region.original[start:at], region.original[at:end]
    whole_before = (before if start else region.head + before).decode("utf-8", "ignore")
    whole_after = (after if end < len(region.original) else after + region.tail).decode("utf-8", "ignore")
    because = why_split(side.tokenizer.split.pattern, *(_seen_by(side, text) for text in (whole_before, whole_after)))
    keeps = why_kept(rival.tokenizer.split.pattern, *(_seen_by(rival, text) for text in (whole_before, whole_after)))
    return after_another(
        sentence(
            "{name}'s split cuts between {before} and {after}.",
            name=side.name,
            before=Piece(before),
            after=Piece(after),
        ),
        because,
        sentence("{name}'s does not.", name=rival.name),
        keeps,
        sentence("{name} has the token {token} across this boundary.", name=rival.name, token=rival.token(crossing)),
        sentence("No merge of {name} crosses a boundary of its split.", name=side.name)
        if side.rule == "merges"
        else sentence("No token of {name} crosses a boundary of its split.", name=side.name),
    )


def _missing(side: Side, rival: Side) -> Sentence | None:
    for index, (start, end) in enumerate(zip(side.region.starts, side.region.ends, strict=True)):
        text = side.text_of(index)
        if rival.has_boundary_inside(start, end) and not rival.has(text, start, end):
            lacking, token = rival.written(text, start, end), side.token(index)
            named = {
                "name": side.name,
                "token": _called(text, token),
                "other": rival.name,
                "ids": rival.tokenizer.vocab_size,
                "tokens": tokens(rival, rival.tokens_in(start, end)),
            }
            if lacking == token.data:
                return sentence(
                    "Neither split cuts here. {name} has {token}; {other}'s vocabulary of {ids:,} ids lacks it, so "
                    "{other} takes {tokens}.",
                    **named,
                )
            return sentence(
                "Neither split cuts here. {name} has {token}; {other}'s vocabulary of {ids:,} ids lacks {lacking}, so "
                "{other} takes {tokens}.",
                lacking=Piece(lacking),
                **named,
            )
    return None


def _called(text: bytes, piece: Piece) -> Sentence:
    """Description of a token as a run of spaces or as one whole character, if it is one."""
    if text and not text.strip(b" ") and len(text) > 1:
        return sentence("a token of {number} spaces, {token}", number=len(text), token=piece)
    try:
        char = text.decode()
    except UnicodeDecodeError:
        return sentence("a token of {token}", token=piece)
    if len(char) == 1 and len(text) > 1:
        return sentence("the whole character {token}, {bytes} bytes, as one token", token=piece, bytes=len(text))
    return sentence("the token {token}", token=piece)


def _normalization(side: Side) -> TranslatableMessage:
    called = {"accents": message("accents stripped")}
    steps = [
        step
        for step in side.tokenizer.normalizer.steps
        if step.name != "clean-up" and not getattr(step, "writes_marks", False)
    ]
    names = list(dict.fromkeys(called.get(step.name, step.name) for step in steps))
    return listed(names, last="") if names else message("lone surrogates replaced")
