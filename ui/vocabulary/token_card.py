"""Card of one token of a vocabulary: its origin, facts, uses, and the tokens merged from it."""

from __future__ import annotations

import streamlit as st

from bpe_core import TokenNode, Training
from bpe_core.language import _, listed, message, n_, translate
from bpe_core.payloads.chips import Column, Table
from bpe_core.published.known_glitches import ORIGINS, STUDIES
from bpe_core.text.character_names import told_characters
from bpe_core.text.marks import marked, shows_itself
from bpe_core.text.partial_character import PartialCharacter, partial_characters
from bpe_core.text.scripts import SCRIPTS
from bpe_core.tokenizer.chips import chip, shown
from bpe_core.tokenizer.trees import Character, Tree
from ui.session import training as training_state
from ui.session import vocabulary as state
from ui.views.token_table import token_table_view
from ui.views.tree import tree_view
from ui.vocabulary.unreached import SENTENCES
from ui.vocabulary.vocabulary import Vocabulary
from ui.widgets.layout import heading
from ui.widgets.messages import note

_LONGEST_HEX = 24
_MOST_MADE_OF_IT = 200
_MOST_INSTEAD = 12

_PARTS = {
    "end": message("end of a character"),
    "inside": message("from inside a character"),
    "never": message("never in UTF-8"),
}
"""Labels below bytes that are part of a character, or of none."""


def show_token(vocabulary: Vocabulary, row: int) -> None:
    """Draw the card of the token at a row of the facts."""
    token_id = int(vocabulary.facts.ids[row])
    root = vocabulary.tokenizer.tree(token_id)
    made_of_it = _made_of(vocabulary.training, token_id)
    with st.container(border=True, key="vocabulary token"):
        heading(_("Token {token:,}", token=token_id), _origin(vocabulary, row, root))
        tree = Tree.of(
            root,
            lambda part: chip(vocabulary.tokenizer, part),
            lambda node: _label(vocabulary, node),
            characters=_characters(vocabulary, token_id),
        )
        tree_view(tree, key="vocabulary tree", height=440, label=_("Merge tree of the token"), on_pick=state.TOKEN.set)
        _show_facts(vocabulary, row)
        _show_unreached(vocabulary, token_id)
        for sentence in _remarks(vocabulary, row, bool(made_of_it)):
            note(sentence)
        if vocabulary.training is not None and vocabulary.created[row]:
            _offer_step(int(vocabulary.created[row]))
        _show_made_of_it(vocabulary, made_of_it)


def _origin(vocabulary: Vocabulary, row: int, root: TokenNode) -> str:
    """Origin of the token, beside its id."""
    rank = int(vocabulary.facts.ranks[row])
    if rank >= 0:
        merge = int(vocabulary.created[row])
        if vocabulary.training is not None and merge:
            return _("made by merge {merge:,} of {all:,}", merge=merge, all=len(vocabulary.training.merges))
        if root.left:
            return _("rank {rank:,}", rank=rank)
        return _("rank {rank:,}, a whole word: no merges lead to it", rank=rank)
    if root.id in vocabulary.tokenizer.special_tokens.values():
        return _("a special token: no merge makes it")
    if "merges" not in vocabulary.tokenizer.model.views:
        return _("a piece: it is looked up, nothing is merged")
    return _("a base symbol: in the vocabulary before any merge")


def _label(vocabulary: Vocabulary, node: TokenNode) -> str:
    """Label below a node of the tree."""
    if node.rank is None:
        return _("special") if node.id in vocabulary.tokenizer.special_tokens.values() else _("base")
    if vocabulary.training is None or vocabulary.training.base is not None:
        return _("rank {rank:,}", rank=node.rank)
    return _("merge {merge:,}", merge=node.rank + 1)


def _characters(vocabulary: Vocabulary, token_id: int) -> list[Character]:
    """Characters, or parts of characters, of the bytes at the bottom of the tree."""
    special = token_id in vocabulary.tokenizer.special_tokens.values()
    if special or vocabulary.tokenizer.model.unit != "byte":
        return []
    data = vocabulary.tokenizer.token_bytes(token_id)
    found = []
    at = 0
    for part in [*partial_characters(data), None]:
        for character in data[at : part.at if part else None].decode():
            size = len(character.encode())
            if size > 1:
                found.append(Character(at, at + size - 1, character))
            at += size
        if part:
            found.append(Character(at, at + len(part.data) - 1, "…", _part_of(part)))
            at += len(part.data)
    return found


def _part_of(part: PartialCharacter) -> str:
    """Label below the bytes of a part of a character."""
    if part.place == "start":
        return n_("byte 1 of {all}", "bytes 1–{count} of {all}", len(part.data), all=part.of)
    return translate(_PARTS[part.place])


def _show_facts(vocabulary: Vocabulary, row: int) -> None:
    facts = vocabulary.facts
    token_id = int(facts.ids[row])
    data = vocabulary.tokenizer.token_bytes(token_id)
    uses = int(vocabulary.uses[row])
    lengths = (
        n_("{count:,} byte", "{count:,} bytes", int(facts.byte_lengths[row])),
        n_("{count:,} whole character", "{count:,} whole characters", int(facts.char_lengths[row])),
    )
    used = _("never") if not uses else _("once") if uses == 1 else _("{times:,} times", times=uses)
    shown = [
        (_("Bytes"), data[:_LONGEST_HEX].hex(" ").upper() + (" …" if len(data) > _LONGEST_HEX else "")),
        (_("Length"), translate(listed(lengths, last=""))),
        (_("Script"), translate(SCRIPTS[facts.scripts[row]])),
        (_("Used"), used),
    ]
    if names := told_characters(data.decode("utf-8", "ignore")):
        shown.append((_("Character"), translate(listed(names, last=""))))
    if (glitch := vocabulary.glitches.get(token_id)) is not None:
        shown.append((_("Came from"), translate(ORIGINS[glitch.origin])))
    if facts.duplicates[row] >= 0:
        shown.append((_("Duplicate of"), _("token {token:,}", token=int(facts.duplicates[row]))))
    table = Table(Column("", [what for what, __ in shown]), Column("", [each for __, each in shown]))
    token_table_view(
        table, key="vocabulary token facts", height=None, label=_("The token"), header=False, pickable=False
    )


def _show_unreached(vocabulary: Vocabulary, token_id: int) -> None:
    """Draw why no text produces the token, and the tokens of its own text; only while unreached tokens are shown."""
    found = vocabulary.unreached().get(token_id) if state.TOKENS_SHOWN.get() == "unreached" else None
    if found is None:
        return
    note(translate(SENTENCES[found.why]))
    if found.instead:
        st.caption(_("Its own text becomes:"))
        chips = tuple(vocabulary.chip(each) for each in found.instead[:_MOST_INSTEAD])
        table = Table(
            Column("", [chips], "chip"),
        )
        token_table_view(
            table, key="becomes", height=None, label=_("Tokens of its own text"), header=False, pickable=False
        )


def _remarks(vocabulary: Vocabulary, row: int, goes_on: bool) -> list[str]:
    """Remarks about this token, one sentence each."""
    facts = vocabulary.facts
    token_id = int(facts.ids[row])
    special = token_id in vocabulary.tokenizer.special_tokens.values()
    remarks = (
        [] if special else list(map(_partial_remark, partial_characters(vocabulary.tokenizer.token_bytes(token_id))))
    )
    if facts.duplicates[row] >= 0:
        remarks.append(_("A duplicate: merges of different pairs made the same bytes, so one text has two ids."))
    if (glitch := vocabulary.glitches.get(token_id)) is not None:
        remarks.append(_("A glitch token: frequent where the tokenizer learned, nearly absent where models did."))
        remarks.append(translate(STUDIES[glitch.study]))
    if state.TOKENS_SHOWN.get() == "steps" and (longer := vocabulary.merged_at_once().get(token_id)) is not None:
        remarks.append(
            _(
                "The very next merge made {token} of it: on its own it occurs almost nowhere.",
                token=translate(shown(vocabulary.tokenizer.token_bytes(longer))),
            )
        )
    if not vocabulary.uses[row] and not special:
        if vocabulary.training is None:
            remarks.append(_("Not used on this text. Published vocabularies were trained on other texts."))
        elif goes_on:
            remarks.append(_("Never used at the end: every occurrence went into a longer token."))
        else:
            remarks.append(_("Never used: it does not occur in the training text."))
    return remarks


def _partial_remark(part: PartialCharacter) -> str:
    """Sentence about bytes that form no whole character."""
    shown = part.data[:_LONGEST_HEX].hex(" ").upper()
    if part.place == "start":
        return n_(
            "{bytes}: the first {count:,} byte of {all} of a character, one from {first} to {last}.",
            "{bytes}: the first {count:,} bytes of {all} of a character, one from {first} to {last}.",
            len(part.data),
            bytes=shown,
            all=part.of,
            first=_named(part.first),
            last=_named(part.last),
        )
    if part.place == "never":
        return _("{bytes}: no UTF-8 text holds this.", bytes=shown)
    if part.place == "end":
        return _("{bytes}: the end of a character; the token before it says which.", bytes=shown)
    return _("{bytes}: from inside a character; the token before it says which.", bytes=shown)


def _named(character: str) -> str:
    name = f"U+{ord(character):04X}"
    return f"{marked(character)} ({name})" if shows_itself(character) else name


def _offer_step(step: int) -> None:
    if st.button(_("Show this step on Train"), icon=":material/arrow_forward:", key="to its step"):
        training_state.STEP.set(step)
        st.switch_page("pages/train.py")


def _made_of(training: Training | None, token_id: int) -> list[int]:
    """Tokens merged from this one."""
    merges = () if training is None else training.merges
    return [merge.token_id for merge in merges if token_id in (merge.left, merge.right)]


def _show_made_of_it(vocabulary: Vocabulary, made: list[int]) -> None:
    if not made:
        return
    shown = made[:_MOST_MADE_OF_IT]
    heading(
        _("Goes into"),
        n_("{count:,} longer token; click one to open it", "{count:,} longer tokens; click one to open it", len(made)),
    )
    rows = [vocabulary.row(token_id) for token_id in shown]
    table = Table(
        Column(message("Token"), [vocabulary.chip(token_id) for token_id in shown], "chip"),
        Column(message("Id"), shown, "number"),
        Column(message("Used"), [0 if row is None else int(vocabulary.uses[row]) for row in rows], "bar"),
    )
    token_table_view(
        table,
        key="made of it",
        height=220,
        label=_("Longer tokens made of it"),
        on_pick=lambda at: state.TOKEN.set(shown[at]),
    )
