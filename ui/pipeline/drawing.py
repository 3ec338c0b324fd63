"""Convert a pipeline for its view: parallel lists for a window of each text. Pure data, no Streamlit."""

from __future__ import annotations

from typing import Any

import numpy as np

from bpe_core import Passage, Pipeline
from bpe_core.arrays import sorted_place
from bpe_core.language import _, listed, message, n_, translate
from bpe_core.payloads.frames import Body, encode_body
from bpe_core.payloads.spans import part_of
from bpe_core.text.character_names import named_character
from bpe_core.text.marks import marked
from bpe_core.tokenizer.chat_tokens import writers
from bpe_core.tokenizer.origins import Pieces
from bpe_core.tokenizer.rows import InputRow
from bpe_core.tokenizer.stages import Loss
from ui.pipeline.request import TEMPLATE_NAMES, PipelineRequest, normalization_name, sizes, split_name

CHARACTERS_DRAWN = 300
"""Maximum number of characters drawn per text; the rest are counted."""

LONGEST_DRAWN = 80
"""Maximum number of characters drawn per piece."""


def pipeline_body(request: PipelineRequest, done: Pipeline, row: InputRow, tokenizer_name: str) -> Body:
    """Data for drawing a pipeline, encoded for the browser; `row`: its ids with their masks."""
    passages = [_passage(passage, row.kept(number)) for number, passage in enumerate(done.passages)]
    if request.kind == "chat":
        passages[0]["said"] = request.whole_chat.said
        tokens = passages[0]["tokens"]
        tokens["by"] = writers(done, request.whole_chat)[: len(tokens["id"])].tolist()
    return encode_body(
        {
            "stages": _stages(request, done, row, tokenizer_name),
            "passages": passages,
            "out": _output(request, done, row),
        }
    )


def _stages(request: PipelineRequest, done: Pipeline, row: InputRow, tokenizer_name: str) -> list[dict[str, str]]:
    """Title, setting, effect and loss of each stage."""
    passages = done.passages
    staged = done.tokenizer
    form = normalization_name(staged)
    changed = sum(int(passage.changed.sum()) for passage in passages)
    dropped = sum(passage.dropped_by_normalization for passage in passages)
    if dropped:
        lost = n_("{count:,} character dropped", "{count:,} characters dropped", dropped)
    elif not staged.normalizer.steps:
        lost = ""
    else:
        lost = n_("{count:,} piece changed", "{count:,} pieces changed", changed) if changed else _("nothing to change")
    length = sum(len(passage.normalized.text) for passage in passages)
    words = sum(len(passage.words) for passage in passages)
    unsplit = sum(passage.dropped_by_split for passage in passages)
    tokens = sum(len(passage.encoding) for passage in passages)
    unknown = sum(passage.unknown for passage in passages)
    template = (
        _markup(request) if request.kind == "chat" else translate(TEMPLATE_NAMES[request.template]).partition(":")[0]
    )
    removed = tokens - int((row.text_of >= 0).sum())
    losses = [passage.loss for passage in passages]
    return [
        _stage(_("Text"), _("dim: the program's own") if request.kind == "chat" else _("as it came in"), sizes(done)),
        _stage(_("Normalization"), form, _characters(length), lost if changed or dropped else "", lost),
        _stage(_("Split"), split_name(staged), n_("{count:,} word", "{count:,} words", words), _dropped(unsplit)),
        _stage(
            _("Model"),
            tokenizer_name,
            n_("{count:,} token", "{count:,} tokens", tokens),
            _("{count:,} unknown", count=unknown) if unknown else "",
        ),
        _stage(
            _("Special tokens"),
            template,
            n_("{count:,} id", "{count:,} ids", len(done)),
            n_("{count:,} token removed", "{count:,} tokens removed", removed) if removed else "",
            _added(request, done, row),
        ),
        _stage(
            _("Decoding"),
            _("ids, bytes, text"),
            "",
            _("differs from the text") if any(losses) else "",
            "" if any(losses) else _("equal to the text"),
        ),
    ]


def _stage(title: str, setting: str, count: str, lost: str = "", quiet: str = "") -> dict[str, str]:
    return {"title": title, "setting": setting, "count": count, "lost": lost, "quiet": "" if lost else quiet}


def _markup(request: PipelineRequest) -> str:
    names = {"special": _("chat"), "parsed": _("chat, parsed"), "text": _("chat as plain text")}
    return names[request.markup]


def _dropped(count: int) -> str:
    return n_("{count:,} character dropped", "{count:,} characters dropped", count) if count else ""


def _characters(count: int) -> str:
    return n_("{count:,} character", "{count:,} characters", count)


def _added(request: PipelineRequest, done: Pipeline, row: InputRow) -> str:
    """Number of special tokens among the ids, and of those new to the vocabulary."""
    pads = int((row.attention_mask == 0).sum())
    special = int(row.special_tokens_mask.sum()) - pads
    special = special or sum(int((p.encoding.word_ids < 0).sum()) for p in done.passages)
    if not special and not pads:
        return _("none added") if request.kind == "chat" or request.template in ("none", "model") else ""
    counts = [message("{count:,} special", count=special)] if special else []
    counts += [message("{count:,} to pad", count=pads)] if pads else []
    counts += [message("{count} new to this vocabulary", count=len(done.added))] if done.added else []
    return translate(listed(counts, last=""))


# -- one text ------------------------------------------------------------------------------------------------


def _passage(passage: Passage, kept: range) -> dict[str, Any]:
    original = passage.normalized.original
    window = original[:CHARACTERS_DRAWN]
    tokens = _before(passage.tokens)
    return {
        "name": passage.name,
        "text": window,
        "names": [*map({char: translate(named_character(char)) for char in {*window}}.get, window)],
        "total": len(original),
        "pieces": _drawn_pieces(passage),
        "words": _drawn_words(passage),
        "tokens": _drawn_tokens(passage, tokens) | {"kept": [kept.start, kept.stop]},
        "decoded": _decoded(passage, tokens),
        "loss": _loss_values(passage, passage.loss),
    }


def _before(pieces: Pieces) -> int:
    """Number of pieces that begin in the window; an empty piece at its end is outside."""
    return sorted_place(np.maximum.accumulate(pieces.starts), CHARACTERS_DRAWN) if len(pieces) else 0


def _ranges(pieces: Pieces, count: int) -> dict[str, list[int]]:
    """Ranges in the original and the normalized text."""
    return {
        "s": pieces.starts[:count].tolist(),
        "e": pieces.ends[:count].tolist(),
        "ns": pieces.text_starts[:count].tolist(),
        "ne": pieces.text_ends[:count].tolist(),
    }


def _drawn_pieces(passage: Passage) -> dict[str, Any]:
    count = _before(passage.characters)
    ranges = _ranges(passage.characters, count)
    text = passage.normalized.text
    return ranges | {
        "text": [_shortened(text[a:b]) for a, b in zip(ranges["ns"], ranges["ne"], strict=True)],
        "changed": np.flatnonzero(passage.changed[:count]).tolist(),
        "rest": len(passage.characters) - count,
    }


def _drawn_words(passage: Passage) -> dict[str, Any]:
    count = _before(passage.words)
    texts = [_shortened(passage.word(number)) for number in range(count)]
    return _ranges(passage.words, count) | {"text": texts, "rest": len(passage.words) - count}


def _drawn_tokens(passage: Passage, count: int) -> dict[str, Any]:
    encoding, tokens = passage.encoding, passage.tokens
    data = [encoding.token_bytes(token_id) for token_id in encoding.ids[:count].tolist()]
    return _ranges(tokens, count) | {
        "id": encoding.ids[:count].tolist(),
        "text": [_readable(token) for token in data],
        "hex": [token[:24].hex(" ").upper() + (" …" if len(token) > 24 else "") for token in data],
        "part": [_part(passage, number) if _readable(token) is None else "" for number, token in enumerate(data)],
        "over": [_over(passage, number) if _readable(token) is None else "" for number, token in enumerate(data)],
        "bs": tokens.byte_starts[:count].tolist(),
        "be": tokens.byte_ends[:count].tolist(),
        "word": encoding.word_ids[:count].tolist(),
        "special": np.flatnonzero(encoding.special[:count]).tolist(),
        "rest": len(encoding) - count,
    }


def _readable(token: bytes) -> str | None:
    """A token as text; None unless its bytes are whole characters."""
    try:
        return _shortened(token.decode())
    except UnicodeDecodeError:
        return None


def _over(passage: Passage, number: int) -> str:
    """Characters of the normalized text of which a token has at least one byte."""
    start, end = passage.tokens.text_starts[number], passage.tokens.text_ends[number]
    return passage.normalized.text[start:end][:LONGEST_DRAWN]


def _part(passage: Passage, number: int) -> str:
    """Bytes of a token's first and last characters that belong to the token."""
    encoding = passage.encoding
    start, end = int(encoding.char_starts[number]), int(encoding.char_ends[number])
    text = passage.normalized.text
    at = len(text[:start].encode())
    parts = []
    for char in text[start:end]:
        size = len(char.encode())
        low, high = max(int(encoding.starts[number]), at), min(int(encoding.ends[number]), at + size)
        if high - low < size:
            part = part_of(char, low - at + 1, high - at)
            whole = {"of": part.of, "character": marked(part.char)}
            parts.append(
                message("byte {first} of {of} of {character}", first=part.first, **whole)
                if part.first == part.last
                else message("bytes {first}–{last} of {of} of {character}", first=part.first, last=part.last, **whole)
            )
        at += size
    return translate(listed(parts, last=""))


def _decoded(passage: Passage, count: int) -> dict[str, Any]:
    """Decoded text of the window's tokens, in pieces of whole characters with their tokens and origin."""
    data, offsets = passage.decoded_parts
    tokens = passage.tokens
    texts: list[str] = []
    firsts: list[int] = []
    ends: list[int] = []
    first = 0
    for number in range(count):
        piece = data[offsets[first] : offsets[number + 1]]
        last = number + 1 == len(passage.encoding)
        try:
            text = piece.decode()
        except UnicodeDecodeError:
            if not last:
                continue
            text = piece.decode("utf-8", "replace")
        texts.append(_shortened(text))
        firsts.append(first)
        ends.append(number + 1)
        first = number + 1
    return {
        "text": texts,
        "first": firsts,
        "end": ends,
        "s": [int(tokens.starts[a:b].min()) for a, b in zip(firsts, ends, strict=True)],
        "e": [int(tokens.ends[a:b].max()) for a, b in zip(firsts, ends, strict=True)],
    }


def _loss_values(passage: Passage, loss: Loss | None) -> list[str]:
    """Template values for a loss: stage, characters, replacement, position."""
    if loss is None:
        return []
    what = passage.normalized.original[loss.start : loss.end]
    stage = translate(loss.stage)
    if loss.step:
        stage = _("{stage}: {step}", stage=stage, step=translate(loss.step))
    return [stage, _shortened(what), _shortened(loss.became), f"{loss.start + 1:,}"]


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_DRAWN else f"{text[:LONGEST_DRAWN]}…"


# -- output --------------------------------------------------------------------------------------------------


def _output(request: PipelineRequest, done: Pipeline, row: InputRow) -> dict[str, Any]:
    """The window's ids: those of its tokens and all special tokens of the template, and the omitted rest."""
    shown = np.array([_before(passage.tokens) for passage in done.passages], np.int64)
    inside = (done.passage_of < 0) | (done.token_of < shown[np.maximum(done.passage_of, 0)])
    ids = done.ids[inside].tolist()
    special = np.flatnonzero(done.passage_of[inside] < 0).tolist()
    return {
        "id": ids,
        "type": done.type_ids[inside].tolist(),
        "passage": done.passage_of[inside].tolist(),
        "token": done.token_of[inside].tolist(),
        "names": {at: done.tokenizer.token_bytes(ids[at]).decode() for at in special},
        "pads": np.flatnonzero(row.attention_mask[inside] == 0).tolist(),
        "added": sorted(done.added.values()),
        "types": request.kind == "pair"
        or (request.kind == "text" and (request.template in ("bert", "own") or bool(done.type_ids.any()))),
        "rest": int((~inside).sum()),
    }
