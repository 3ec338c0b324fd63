"""A fork: what if another pair had won? Says so, leads back, and shows what differs in the end."""

from __future__ import annotations

import streamlit as st

from bpe_core import Tokenizer, Training
from bpe_core.normalize import normalize
from ui import cache, state
from ui.display import lane
from ui.layout import heading
from ui.token_view import interlinear
from ui.train.here import Here
from ui.train.player import go_to
from ui.train.views import Part, Sentence, story

_NAMED = 14
"""Tokens that are shown of those that only one of two vocabularies has."""

_TEXT = 1_500


def show_fork(here: Here) -> None:
    """The card of a fork, above the step; nothing for a training by the rule."""
    if not here.forks:
        return
    rule = cache.training(here.source, here.config)
    with st.container(border=True, key="fork"):
        with st.container(horizontal=True, vertical_alignment="center"):
            heading("Your fork", _title(here))
            st.space("stretch")
            if len(here.forks) > 1:
                st.button("Undo the last choice", icon=":material/undo:", on_click=_undo, type="tertiary")
            st.button("Back to the rule", icon=":material/keyboard_return:", on_click=_leave, type="primary")
        story(None, _differences(here, rule), key="fork story", label="What differs in the end")
        with st.expander("The text in the end, cut by both"):
            _show_both(here)


def _title(here: Here) -> str:
    if len(here.forks) == 1:
        return f"merge {here.forks[0][0] + 1:,} is yours, all others follow the rule"
    return f"{len(here.forks)} merges are yours, all others follow the rule"


def _undo() -> None:
    forks = state.FORKS.get()
    state.choose_forks(forks[:-1])
    go_to(forks[-1][0])


def _leave() -> None:
    """Back to the step where the first fork was made."""
    forks = state.FORKS.get()
    state.choose_forks(())
    if forks:
        go_to(forks[0][0])


def _differences(here: Here, rule: Training) -> list[Sentence]:
    step, left, right = here.forks[0]
    sentences: list[Sentence] = []
    chosen: list[Part] = ["At merge ", (f"{step + 1:,}", True), ", where they part, you took ", here.pair(left, right)]
    if step < len(rule.merges):
        merge = rule.merges[step]
        chosen += [" instead of ", here.pair(merge.left, merge.right)]
    sentences.append([*chosen, "."])
    ours, theirs = here.training.token_count(here.last), rule.token_count(len(rule.merges))
    more = "as many" if ours == theirs else f"{abs(ours - theirs):,} {'more' if ours > theirs else 'fewer'}"
    sentences.append(["In the end the text is ", (f"{ours:,} tokens", True), f"; by the rule {theirs:,}: {more}."])
    only_ours = _only_in(here.training, here, _vocabulary(rule, cache.trained_tokenizer(here.source, here.config)))
    rule_here = Here(here.source, here.config, (), rule, len(rule.merges))
    only_theirs = _only_in(rule, rule_here, _vocabulary(here.training, here.tokenizer))
    if not only_ours and not only_theirs:
        return [*sentences, [("The same vocabulary: ", True), "both merge the same tokens, only in another order."]]
    return [*sentences, _named("Only here", only_ours, here), _named("Only by the rule", only_theirs, rule_here)]


def _vocabulary(training: Training, tokenizer: Tokenizer) -> set[bytes]:
    return {tokenizer.token_bytes(merge.token_id) for merge in training.merges}


def _only_in(training: Training, here: Here, others: set[bytes]) -> list[int]:
    ids = (merge.token_id for merge in training.merges)
    return [token_id for token_id in ids if here.tokenizer.token_bytes(token_id) not in others]


def _named(title: str, ids: list[int], here: Here) -> Sentence:
    parts: list[Part] = [(f"{title}, {len(ids):,}: ", True)]
    for token_id in ids[:_NAMED]:
        parts += [here.chip(token_id), " "]
    if len(ids) > _NAMED:
        parts.append("…")
    return parts if ids else [*parts, "none"]


def _show_both(here: Here) -> None:
    text = normalize(here.source.text[:_TEXT], here.config).text
    lanes = [
        lane(name, cache.trained_tokenizer(here.source, here.config, None, forks).encode(text))
        for name, forks in (("By the rule", ()), ("Your fork", here.forks))
    ]
    interlinear(text, lanes, key="fork text", height=320)
    st.caption("The beginning of the training text after the last merge of both.")
