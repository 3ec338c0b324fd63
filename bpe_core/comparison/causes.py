"""Why two tokenizers segment a region of text differently: the cause, and a sentence with the evidence.

Both tokenizers have a boundary at either end of a region and share none inside. No merge crosses a final boundary, so
what each makes of the region depends on nothing outside it. Hence the causes; the first that applies is given:

missing token   a character is in one vocabulary only: the other has <unk> there
special token   one takes a special token where the other reads plain text
normalization   the two read different characters there
split           the split of one cuts inside the region, where a token of the other crosses
missing token   a token of one is not in the other's vocabulary, so the other cannot segment the region like that
earlier merge   both have all the tokens, but an earlier merge took a part
choice          the same, where one of the two does not merge: it takes the longest match, or the best score
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, cast

from bpe_core.comparison.boundaries import Region, SegmentedText
from bpe_core.comparison.choices import choice
from bpe_core.comparison.evidence import Piece, Sentence, Side, tokens, written
from bpe_core.comparison.merge_order import earlier_merge
from bpe_core.text.library_normalizers import Prepend, Replace
from bpe_core.text.normalizers import Step
from bpe_core.text.split_reasons import why_kept, why_split
from bpe_core.text.split_tables import as_the_library_sees
from bpe_core.text.splits import WORD_MARK, Split
from bpe_core.unigram.model import UnigramModel
from bpe_core.wordpiece.model import LongestMatch

Cause = Literal["split", "missing token", "earlier merge", "choice", "special token", "normalization"]

CAUSES: tuple[Cause, ...] = ("split", "missing token", "earlier merge", "choice", "special token", "normalization")


class Reason(NamedTuple):
    """Why two tokenizers segment a region differently: the cause, a sentence with the evidence, and both sides.

    The sentence has text and pieces in turn; `left` and `right` are what each tokenizer makes of the region.

    >>> from bpe_core import compare, load_pretrained
    >>> comparison = compare("    x", {"a": load_pretrained("gpt2"), "b": load_pretrained("cl100k_base")})
    >>> reason = comparison.reason("a", "b", 0, 3)
    >>> reason.cause, reason.sentence[2], reason.right.ids
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
        """The sentence as plain text, tokens in quotation marks with their ids."""
        return "".join(part if isinstance(part, str) else written(part) for part in self.sentence)


def explain(left: SegmentedText, left_region: Region, right: SegmentedText, right_region: Region) -> Reason:
    """The cause of one disagreement, and the evidence.

    >>> from bpe_core import load_pretrained
    >>> models = {name: load_pretrained(name) for name in ("gpt2", "cl100k_base")}
    >>> a, b = (SegmentedText(name, model, model.encode("    x")) for name, model in models.items())
    >>> explain(a, a.region(0, 3), b, b.region(0, 3)).cause
    'missing token'
    """
    cause, sentence = _explain(Side(left, left_region), Side(right, right_region))
    return Reason(cause, sentence, left_region, right_region)


def _explain(a: Side, b: Side) -> tuple[Cause, Sentence]:
    both = ((a, b), (b, a))
    for side, rival in both:
        if sentence := _unknown(side, rival):
            return "missing token", sentence
    for side, rival in both:
        if sentence := _special(side, rival):
            return "special token", sentence
    if a.region.data != b.region.data:
        first, second = sorted((a, b), key=lambda side: side.region.data == side.region.original)
        return "normalization", (*_normalized(first), " ", *_normalized(second))
    for side, rival in both:
        if sentence := _split(side, rival):
            return "split", sentence
    fewest_first = sorted(both, key=lambda pair: len(pair[0].region.ids))
    for side, rival in fewest_first:
        if sentence := _missing(side, rival):
            return "missing token", sentence
    if a.rule == b.rule == "merges":
        return "earlier merge", earlier_merge(a, b)
    both_merge = {a.rule, b.rule} <= {"merges", "scored merges"}
    return ("earlier merge" if both_merge else "choice"), choice(a, b)


# -- each cause with its sentence; () where it does not apply --------------------------------------------------


def _unknown(side: Side, rival: Side) -> Sentence:
    known = [side.region.starts[i : i + 1] + side.region.ends[i : i + 1] for i in _unknowns(side)]
    theirs = [(rival.region.starts[i], rival.region.ends[i]) for i in _unknowns(rival)]
    for at, (start, end) in zip(_unknowns(side), known, strict=True):
        if any(first <= start and end <= last for first, last in theirs):
            continue  # unknown to both
        has_it = not any(first < end and start < last for first, last in theirs)
        return (
            *_never_seen(side, side.region.original[start:end]),
            side.token(at),
            f". {rival.name} {'has it: ' if has_it else 'takes '}",
            *tokens(rival, rival.tokens_in(start, end)),
            ".",
        )
    return ()


def _unknowns(side: Side) -> list[int]:
    unknown = side.tokenizer.unknown_id
    if unknown is None:
        return []
    region = side.region
    tokens_of_region = zip(region.ids, region.starts, region.ends, strict=True)
    return [i for i, (token_id, start, end) in enumerate(tokens_of_region) if token_id == unknown and start < end]


def _never_seen(side: Side, text: bytes) -> Sentence:
    """Why a text becomes the unknown token that the sentence goes on with."""
    tokenizer = side.tokenizer
    model = tokenizer.model
    word = tokenizer.normalizer.normalize(text.decode("utf-8", "replace")).text
    if model.rule == "longest match":
        matches: list[LongestMatch] = model.explain(word)
        if not matches or matches[-1].id is not None:
            return (f"{side.name} turns the whole word ", Piece(text), " into ")
        start = matches[-1].start
        char = word[start].encode()
        stuck: Sentence = (f"{side.name} has no token that begins with ", Piece(char))
        if start:
            matched = Piece(word[:start].encode())
            stuck = (
                f"{side.name} gets stuck after ",
                matched,
                ": no token begins with ",
                Piece(model.written(char, begins=False, ends=False)),
            )
        return (*stuck, ", so the whole word becomes ")
    if model.rule == "whole words":
        return (f"{side.name} has no token for the word ", Piece(text), ", so it becomes ")
    if model.kind == "unigram" and cast("UnigramModel", model).unknown == "word":
        unknown = next((char for char in word.strip() if model.log_probability([char]) is None), word)
        return (f"{side.name} has no piece for ", Piece(unknown.encode()), ", so the whole word becomes ")
    trained = "" if model.merges is None else "was trained on characters and "
    return (f"{side.name} {trained}has never seen ", Piece(text), ", so it becomes ")


def _special(side: Side, rival: Side) -> Sentence:
    for index, special in enumerate(side.region.special):
        if special and side.region.ids[index] != side.tokenizer.unknown_id:
            touched = rival.tokens_in(side.region.starts[index], side.region.ends[index])
            return (
                side.token(index),
                f" is a special token of {side.name}, taken whole before the text is split. {rival.name} has no such "
                f"special token and reads it as plain text: ",
                *tokens(rival, touched),
                ".",
            )
    return ()


def _normalized(side: Side) -> Sentence:
    region = side.region
    if region.data == region.original:
        return (f"{side.name} reads ", Piece(region.original), " unchanged.")
    if not region.data:
        return (f"{side.name} first removes ", Piece(region.original), f" ({_normalization(side)}).")
    return (
        f"{side.name} first changes ",
        Piece(region.original),
        " to ",
        Piece(region.data),
        f" ({_normalization(side)}).",
    )


def _split(side: Side, rival: Side) -> Sentence:
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
    return ()


def _dropped(side: Side, rival: Side, dropped: tuple[int, int], keeping: Sequence[int]) -> Sentence:
    """For text that no word of the split covers."""
    text = side.region.original[slice(*dropped)]
    rule = "drops the white space" if text.decode("utf-8", "replace").isspace() else "leaves out"
    return (
        f"{side.name}'s split {rule} ",
        Piece(text),
        f": it belongs to none of its words. {rival.name} keeps it, in ",
        *tokens(rival, keeping),
        ".",
    )


def _seen_by(side: Side, text: str) -> str:
    """The text as the split of this side classifies its characters."""
    split = side.tokenizer.split
    return as_the_library_sees(text) if isinstance(split, Split) and split.library else text


def _cut(side: Side, rival: Side, at: int, crossing: int) -> Sentence:
    """For a boundary of one's split that a token of the other crosses."""
    region = side.region
    boundaries = (0, *region.split_boundaries, len(region.original))
    start, end = max(each for each in boundaries if each < at), min(each for each in boundaries if each > at)
    before, after = region.original[start:at], region.original[at:end]
    whole_before = (before if start else region.head + before).decode("utf-8", "ignore")
    whole_after = (after if end < len(region.original) else after + region.tail).decode("utf-8", "ignore")
    rules = [
        rule(each.tokenizer.split.pattern, *(_seen_by(each, text) for text in (whole_before, whole_after)))
        for rule, each in ((why_split, side), (why_kept, rival))
    ]
    because, keeps = (f": {rule}" if rule else "" for rule in rules)
    return (
        f"{side.name}'s split cuts between ",
        Piece(before),
        " and ",
        Piece(after),
        f"{because}. {rival.name}'s does not{keeps}, and {rival.name} has the token ",
        rival.token(crossing),
        f" across this boundary. No {'merge' if side.rule == 'merges' else 'token'} of {side.name} crosses a boundary "
        "of its split.",
    )


def _missing(side: Side, rival: Side) -> Sentence:
    for index, (start, end) in enumerate(zip(side.region.starts, side.region.ends, strict=True)):
        text = side.text_of(index)
        if rival.has_boundary_inside(start, end) and not rival.has(text, start, end):
            lacking = rival.written(text, start, end)
            return (
                f"Neither split cuts here. {side.name} has ",
                *_called(text, side.token(index)),
                f"; {rival.name}'s vocabulary of {rival.tokenizer.vocab_size:,} ids lacks ",
                *(("it",) if lacking == side.token(index).data else (Piece(lacking),)),
                f", so {rival.name} takes ",
                *tokens(rival, rival.tokens_in(start, end)),
                ".",
            )
    return ()


def _called(text: bytes, piece: Piece) -> Sentence:
    """A token, described as a run of spaces or as one whole character where it is one."""
    if text and not text.strip(b" ") and len(text) > 1:
        return (f"a token of {len(text)} spaces, ", piece)
    try:
        char = text.decode()
    except UnicodeDecodeError:
        return ("a token of ", piece)
    if len(char) == 1 and len(text) > 1:
        return ("the whole character ", piece, f", {len(text)} bytes, as one token")
    return ("the token ", piece)


def _normalization(side: Side) -> str:
    called = {"accents": "accents stripped"}
    steps = [step for step in side.tokenizer.normalizer.steps if step.name != "clean-up" and not _writes_marks(step)]
    names = list(dict.fromkeys(called.get(step.name, step.name) for step in steps))
    return ", ".join(names) or "lone surrogates replaced"


def _writes_marks(step: Step) -> bool:
    """Whether a step of a normalizer does no more than write ▁ for spaces, or in front."""
    match step:
        case Prepend(text=text) | Replace(pattern=" ", content=text):
            return text == WORD_MARK
    return False
