"""Pre-tokenizers of tokenizer.json: chains of steps, read and written one to one.

A chain equivalent to one of this project's splits becomes that `Split`, which is faster; any other becomes a
`SplitChain`.
"""

from __future__ import annotations

from collections.abc import Callable

from bpe_core.errors import ConfigError, quoted, refuse
from bpe_core.formats.json_parts import MOST_STEPS, a_pattern, one_of
from bpe_core.formats.reading import Json, a_flag, a_list, a_text, an_id, an_object, at_most, made
from bpe_core.huggingface import pretokenizers as steps
from bpe_core.huggingface.oniguruma import WHOLE, own_split, to_oniguruma
from bpe_core.huggingface.pretokenizers import PREPENDS, PreTokenizer
from bpe_core.huggingface.split_chain import SplitChain
from bpe_core.language import listed, message
from bpe_core.text.character_rules import BEHAVIORS, Behavior
from bpe_core.text.pattern_limits import LONGEST_PATTERN
from bpe_core.text.splits import BERT_SPLIT, Split
from bpe_core.text.splitter import Splitter

_DEEPEST = 10
_LONGEST_PIECE = 1_000_000_000
_BYTES = steps.ByteLevel(add_prefix_space=False, use_regex=False)


def read_pre_tokenizer(value: object, place: str, *, spells: bool = False) -> tuple[bool, Split | SplitChain]:
    """Read a pre-tokenizer: whether it maps bytes to characters that the model reads as bytes, and its split.

    `place` is for messages; `spells`: the model never reads bytes, but the characters mapped from them.

    Raises FormatError for damaged input and for steps not supported here.

    >>> read_pre_tokenizer({"type": "WhitespaceSplit"}, "pre_tokenizer")
    (False, Split(pattern='words', by_model=False))
    >>> read_pre_tokenizer({"type": "Digits", "individual_digits": True}, "pre_tokenizer")[1].words("in 84")
    ['in ', '8', '4']
    """
    found = [_read_step(at, step) for at, step in _flat(place, value, 0)]
    spells = any(step.maps_bytes for step in found) and (spells or _adds_to_bytes(found))
    chain = made(place, lambda: SplitChain(tuple(found), spells))
    named = None if spells else _named(found)
    return chain.maps_bytes, chain if named is None else named


def write_pre_tokenizer(split: Splitter, levels: bool) -> Json | None:
    """A split in the library's form, or None. `levels`: whether to map bytes to characters.

    Raises FormatError for a split that the library cannot express.

    >>> write_pre_tokenizer(Split("words"), levels=False)["behavior"]
    'Removed'
    >>> write_pre_tokenizer(SplitChain((steps.FixedLength(3),)), levels=False)
    {'type': 'FixedLength', 'length': 3}
    """
    if isinstance(split, SplitChain):
        if levels != split.maps_bytes:
            refuse(
                message("The model is over bytes, but the split {split} is not.", split=split.pattern)
                if levels
                else message("The model is not over bytes, but the split {split} is.", split=split.pattern),
                message("A chain ends with or contains ByteLevel exactly if the model is over bytes."),
                message('Save it as "bpe-lab".'),
            )
        written = [_written(step) for step in split.steps]
    elif levels:
        mapped = _written(steps.ByteLevel(add_prefix_space=False, use_regex=split.pattern == "gpt2"))
        written = [mapped] if split.pattern in ("gpt2", "none") else [_written_pattern(split.pattern), mapped]
    else:
        written = [] if split.pattern == "none" else [_written_pattern(split.pattern)]
    if len(written) < 2:
        return written[0] if written else None
    return {"type": "Sequence", "pretokenizers": written}


# -- reading -------------------------------------------------------------------------------------------------


def _flat(place: str, value: object, depth: int) -> list[tuple[str, Json]]:
    """Flatten a pre-tokenizer's nested sequences to its steps, with their places."""
    if value is None and not depth:
        return []
    whole = an_object(place, value, ("type",))
    if whole["type"] != "Sequence":
        return [(place, whole)]
    at_most(depth, _DEEPEST, message("{place} is a sequence inside of {depth} others.", place=place, depth=depth))
    found: list[tuple[str, Json]] = []
    for at, part in enumerate(a_list(f"{place}.pretokenizers", whole.get("pretokenizers"), MOST_STEPS)):
        found += _flat(f"{place}.pretokenizers[{at}]", part, depth + 1)
        at_most(len(found), MOST_STEPS, message("{place} has more than {most} steps.", place=place, most=MOST_STEPS))
    return found


def _read_step(place: str, step: Json) -> PreTokenizer:
    kind = step["type"]
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        refuse(
            message("{place}.type is {kind}, which BPE Lab does not support.", place=place, kind=quoted(kind)),
            message("Supported are {known}.", known=listed([*sorted(_READERS), "Sequence"])),
            message("Use the file with the tokenizers library."),
        )
    return made(place, lambda: read(place, step))


def _read_split(place: str, step: Json) -> PreTokenizer:
    _at, source, regex = a_pattern(f"{place}.pattern", step.get("pattern"))
    behavior = _behavior(place, step, None)
    invert = a_flag(f"{place}.invert", an_object(place, step, ("invert",))["invert"])
    if regex is not None:
        return steps.PatternSplit(source, behavior, invert, pattern=regex)
    at_most(
        len(source),
        LONGEST_PATTERN,
        message("{place}.pattern has {characters:,} characters.", place=place, characters=len(source)),
    )
    return steps.PatternSplit(source, behavior, invert, literal=True)


def _read_byte_level(place: str, step: Json) -> PreTokenizer:
    an_object(place, step, ("add_prefix_space", "trim_offsets"))
    add, use, trim = (
        a_flag(f"{place}.{key}", step.get(key, True)) for key in ("add_prefix_space", "use_regex", "trim_offsets")
    )
    return steps.ByteLevel(add_prefix_space=add, use_regex=use, trim_offsets=trim)


def _read_metaspace(place: str, step: Json) -> PreTokenizer:
    prepend = one_of(f"{place}.prepend_scheme", step.get("prepend_scheme", "always"), PREPENDS)
    adds = step.get("add_prefix_space")
    if adds is not None and not a_flag(f"{place}.add_prefix_space", adds) and prepend != "never":
        refuse(
            message("{place}.add_prefix_space is false, and prepend_scheme {value}.", place=place, value=prepend),
            message('Where no space is added, the scheme is "never".'),
        )
    splits = step.get("split")
    return steps.Metaspace(
        a_text(f"{place}.replacement", step.get("replacement")),
        prepend,
        True if splits is None else a_flag(f"{place}.split", splits),
    )


def _read_fixed_length(place: str, step: Json) -> PreTokenizer:
    return steps.FixedLength(an_id(f"{place}.length", step.get("length", 5), _LONGEST_PIECE))


def _behavior(place: str, step: Json, default: Behavior | None) -> Behavior:
    return one_of(f"{place}.behavior", step.get("behavior", default), BEHAVIORS)


_READERS: dict[str, Callable[[str, Json], PreTokenizer]] = {
    "BertPreTokenizer": lambda place, step: steps.BertPreTokenizer(),
    "ByteLevel": _read_byte_level,
    "CharDelimiterSplit": lambda place, step: steps.CharDelimiterSplit(
        a_text(f"{place}.delimiter", step.get("delimiter"))
    ),
    "Digits": lambda place, step: steps.Digits(
        a_flag(f"{place}.individual_digits", an_object(place, step, ("individual_digits",))["individual_digits"])
    ),
    "FixedLength": _read_fixed_length,
    "Metaspace": _read_metaspace,
    "Punctuation": lambda place, step: steps.Punctuation(_behavior(place, step, "Isolated")),
    "Split": _read_split,
    "UnicodeScripts": lambda place, step: steps.UnicodeScripts(),
    "Whitespace": lambda place, step: steps.Whitespace(),
    "WhitespaceSplit": lambda place, step: steps.WhitespaceSplit(),
}


# -- splits of this project ----------------------------------------------------------------------------------


def _adds_to_bytes(found: list[PreTokenizer]) -> bool:
    """Whether a step after ByteLevel maps its characters again or inserts others."""
    first = next(at for at, step in enumerate(found) if step.maps_bytes)
    return any(step.maps_bytes or step.prepend != "never" for step in found[first + 1 :])


def _named(found: list[PreTokenizer]) -> Split | None:
    """This project's split that gives the same words as these steps, or None."""
    match found:
        case [steps.ByteLevel(add_prefix_space=False, use_regex=True)]:
            return Split("gpt2", library=True)
        case [*others, steps.ByteLevel(add_prefix_space=False, use_regex=False)]:
            pass
        case others:
            pass
    match others:
        case []:
            return Split()
        case [steps.WhitespaceSplit()]:
            return Split("words")
        case [steps.BertPreTokenizer()]:
            return Split(BERT_SPLIT)
        case [steps.PatternSplit(literal=False) as step]:
            return _own_pattern(step)
    return None


def _own_pattern(step: steps.PatternSplit) -> Split | None:
    """The split of a step in the form that this project writes: its matches are the words."""
    pattern = own_split(step.source)
    whole = step.behavior == "Isolated" and pattern in WHOLE
    if pattern is None or not (whole or (step.behavior == "Removed" and step.invert)):
        return None
    try:
        return Split(pattern, library=True)
    except ConfigError:
        return None


# -- writing -------------------------------------------------------------------------------------------------


def _written(step: PreTokenizer) -> Json:
    match step:
        case steps.PatternSplit(source, behavior, invert, literal):
            pattern = {"String" if literal else "Regex": source}
            return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}
        case steps.ByteLevel(add, use, trim):
            return {"type": "ByteLevel", "add_prefix_space": add, "trim_offsets": trim, "use_regex": use}
        case steps.Metaspace(replacement, prepend, split):
            return {"type": "Metaspace", "replacement": replacement, "prepend_scheme": prepend, "split": split}
        case steps.Digits(individual):
            return {"type": "Digits", "individual_digits": individual}
        case steps.Punctuation(behavior):
            return {"type": "Punctuation", "behavior": behavior}
        case steps.CharDelimiterSplit(delimiter):
            return {"type": "CharDelimiterSplit", "delimiter": delimiter}
        case steps.FixedLength(length):
            return {"type": "FixedLength", "length": length}
    return {"type": step.name}


def _written_pattern(pattern: str) -> Json:
    """Pre-tokenizer for a split of this project: exactly its matches are the words."""
    if pattern == BERT_SPLIT:
        return {"type": "BertPreTokenizer"}
    regex = {"Regex": to_oniguruma(pattern)}
    if pattern in WHOLE:
        return {"type": "Split", "pattern": regex, "behavior": "Isolated", "invert": False}
    return {"type": "Split", "pattern": regex, "behavior": "Removed", "invert": True}
