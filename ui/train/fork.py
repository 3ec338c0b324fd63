"""A fork: what if another pair had won? Says so, leads back, and shows what differs at the end."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, Tokenizer, Training
from bpe_core.text.normalizers import normalize
from bpe_core.tokenizer.token_ranges import check_listed
from ui.components.interlinear import interlinear
from ui.components.story import Sentence, SentencePart, story
from ui.session import state
from ui.shared import cache
from ui.shared.display import lane
from ui.shared.layout import heading, popover_key
from ui.train.step import Step, go_to

_NAMED = 14
"""How many of the tokens that only one vocabulary has are shown."""

_TEXT = 1_500

_WIDE = (
    "<style>[data-testid=stPopoverBody]:has(.st-key-fork-details) "
    "{ width: min(900px, 96vw) !important; max-width: none !important }</style>"
)


def show_fork(step: Step) -> None:
    """What a fork changed at the end, and the way back, where the page keeps room for it. Nothing without a fork."""
    if not step.forks:
        return
    rule = cache.training(step.source, step.config)
    st.html(_WIDE)
    with st.container(horizontal=True, vertical_alignment="center", width="content", key="fork"):
        with st.popover(f"Your fork: {_longer(step, rule)}", key=popover_key("fork details")):
            _show_details(step, rule)
        st.button("Back to the rule", on_click=_leave, type="primary")


def _show_details(step: Step, rule: Training) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="fork details"):
        heading("Your fork", _title(step))
        st.space("stretch")
        if len(step.forks) > 1:
            st.button("Undo the last choice", icon=":material/undo:", on_click=_undo, type="tertiary")
    story(None, _differences(step, rule), key="fork story", label="What differs at the end")
    _show_both(step)


def _longer(step: Step, rule: Training) -> str:
    """The tokens of the text at the end, against those by the rule."""
    more = step.training.token_count(step.last) - rule.token_count(len(rule.merges))
    if not more:
        return "as many tokens"
    sign = "+" if more > 0 else "\N{MINUS SIGN}"
    return f"{sign}{abs(more):,} {'token' if abs(more) == 1 else 'tokens'}"


def _title(step: Step) -> str:
    if len(step.forks) == 1:
        return f"merge {step.forks[0][0] + 1:,} is yours, all others follow the rule"
    return f"{len(step.forks)} merges are yours, all others follow the rule"


def _undo() -> None:
    forks = state.FORKS.get()
    state.OPENED_TOKEN.set(None)  # an id after the fork is another token there
    state.choose_forks(forks[:-1])
    go_to(forks[-1][0])


def _leave() -> None:
    """Back to the step where the first fork was made."""
    forks = state.FORKS.get()
    state.OPENED_TOKEN.set(None)
    state.choose_forks(())
    if forks:
        go_to(forks[0][0])


def _differences(step: Step, rule: Training) -> list[Sentence]:
    number, left, right = step.forks[0]
    sentences: list[Sentence] = []
    chosen: list[SentencePart] = [
        "At merge ",
        (f"{number + 1:,}", True),
        ", where the two diverge, you took ",
        step.pair(left, right),
    ]
    if number < len(rule.merges):
        merge = rule.merges[number]
        chosen += [" instead of ", step.pair(merge.left, merge.right)]
    sentences.append([*chosen, "."])
    ours, theirs = step.training.token_count(step.last), rule.token_count(len(rule.merges))
    more = "as many" if ours == theirs else f"{abs(ours - theirs):,} {'more' if ours > theirs else 'fewer'}"
    sentences.append(
        ["At the end the text has ", (f"{ours:,} tokens", True), f"; by the rule it has {theirs:,}: {more}."]
    )
    try:
        check_listed(step.tokenizer.model.tokens)
        check_listed(cache.trained_tokenizer(step.source, step.config).model.tokens)
    except BpeError as error:  # too long to be compared one by one
        return [*sentences, [str(error)]]
    only_ours = _only_in(step.training, step, _vocabulary(rule, cache.trained_tokenizer(step.source, step.config)))
    rule_step = Step(step.source, step.config, (), len(rule.merges))
    only_theirs = _only_in(rule, rule_step, _vocabulary(step.training, step.tokenizer))
    if not only_ours and not only_theirs:
        return [*sentences, [("The same vocabulary: ", True), "both merge the same tokens, only in another order."]]
    return [*sentences, _named("Only here", only_ours, step), _named("Only by the rule", only_theirs, rule_step)]


def _vocabulary(training: Training, tokenizer: Tokenizer) -> set[bytes]:
    return {tokenizer.token_bytes(merge.token_id) for merge in training.merges}


def _only_in(training: Training, step: Step, others: set[bytes]) -> list[int]:
    ids = (merge.token_id for merge in training.merges)
    return [token_id for token_id in ids if step.tokenizer.token_bytes(token_id) not in others]


def _named(title: str, ids: list[int], step: Step) -> Sentence:
    parts: list[SentencePart] = [(f"{title}, {len(ids):,}: ", True)]
    for token_id in ids[:_NAMED]:
        parts += [step.chip(token_id), " "]
    if len(ids) > _NAMED:
        parts.append("…")
    return parts if ids else [*parts, "none"]


def _show_both(step: Step) -> None:
    text = normalize(step.source.text[:_TEXT], step.config).text
    lanes = [
        lane(name, cache.trained_tokenizer(step.source, step.config, None, forks).encode(text))
        for name, forks in (("By the rule", ()), ("Your fork", step.forks))
    ]
    interlinear(text, lanes, key="fork text", height=320)
    st.caption("The beginning of the training text, after the last merge of each.")
