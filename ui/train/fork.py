"""Fork of a training: its notice, its undo, and the differences at the end."""

from __future__ import annotations

import streamlit as st

from bpe_core import BpeError, Tokenizer, Training
from bpe_core.language import _, joined, n_, parts, translate
from bpe_core.payloads.sentences import Sentence, SentencePart
from bpe_core.text.normalizer_settings import normalize
from bpe_core.tokenizer.lanes import lane
from bpe_core.tokenizer.token_ranges import check_listed
from ui import cache
from ui.session import training as state
from ui.train.step import Step, go_to
from ui.views.interlinear import interlinear_view
from ui.views.story import story_view
from ui.widgets.layout import heading, popover_key

_NAMED = 14
"""Maximum number of shown tokens that only one vocabulary has."""

_TEXT = 1_500

_WIDE = (
    "<style>[data-testid=stPopoverBody]:has(.st-key-fork-details) "
    "{ width: min(900px, 96vw) !important; max-width: none !important }</style>"
)


def show_fork(step: Step) -> None:
    """Draw the final effect of the fork and the button that drops it; no-op without a fork."""
    if not step.forks:
        return
    rule = cache.training(step.source, step.config)
    st.html(_WIDE)
    with st.container(horizontal=True, vertical_alignment="center", width="content", key="fork"):
        with st.popover(_longer(step, rule), key=popover_key("fork details")):
            _show_details(step, rule)
        st.button(_("Back to the rule"), on_click=_leave, type="primary")


def _show_details(step: Step, rule: Training) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="fork details"):
        heading(_("Your fork"), _title(step))
        st.space("stretch")
        if len(step.forks) > 1:
            st.button(_("Undo the last choice"), icon=":material/undo:", on_click=_undo, type="tertiary")
    story_view(_differences(step, rule), key="fork story", label=_("What differs at the end"))
    _show_both(step)


def _longer(step: Step, rule: Training) -> str:
    """Difference in final token count between the fork and the rule."""
    more = step.training.token_count(step.last) - rule.token_count(len(rule.merges))
    if not more:
        return _("Your fork: as many tokens")
    if more > 0:
        return n_("Your fork: +{count:,} token", "Your fork: +{count:,} tokens", more)
    return n_("Your fork: −{count:,} token", "Your fork: −{count:,} tokens", -more)


def _title(step: Step) -> str:
    if len(step.forks) == 1:
        return _("merge {number:,} is yours, all others follow the rule", number=step.forks[0][0] + 1)
    return _("{merges} merges are yours, all others follow the rule", merges=len(step.forks))


def _undo() -> None:
    forks = state.FORKS.get()
    state.OPENED_TOKEN.set(None)  # without the fork, later ids mean other tokens
    state.choose_forks(forks[:-1])
    go_to(forks[-1][0])


def _leave() -> None:
    """Drop all forks and return to the step of the first."""
    forks = state.FORKS.get()
    state.OPENED_TOKEN.set(None)
    state.choose_forks(())
    if forks:
        go_to(forks[0][0])


def _differences(step: Step, rule: Training) -> list[Sentence]:
    sentences = [_choice(step, rule), _tokens_at_the_end(step, rule)]
    try:
        check_listed(step.tokenizer.model.tokens)
        check_listed(cache.trained_tokenizer(step.source, step.config).model.tokens)
    except BpeError as error:  # too long for a token-by-token comparison
        return [*sentences, [translate(joined(error.problem, error.limit, error.remedy))]]
    only_ours = _only_in(step.training, step, _vocabulary(rule, cache.trained_tokenizer(step.source, step.config)))
    rule_step = Step(step.source, step.config, (), len(rule.merges))
    only_theirs = _only_in(rule, rule_step, _vocabulary(step.training, step.tokenizer))
    if not only_ours and not only_theirs:
        same = parts("**The same vocabulary:** both merge the same tokens, only in another order.")
        return [*sentences, same]
    here = parts("**Only here, {tokens:,}:**", tokens=len(only_ours))
    by_rule = parts("**Only by the rule, {tokens:,}:**", tokens=len(only_theirs))
    return [*sentences, _named(here, only_ours, step), _named(by_rule, only_theirs, rule_step)]


def _choice(step: Step, rule: Training) -> Sentence:
    """The step of the first fork, and the pair chosen there."""
    number, left, right = step.forks[0]
    words = {"number": number + 1, "pair": step.pair(left, right)}
    if number >= len(rule.merges):
        return parts("At merge **{number:,}**, where the two diverge, you took {pair}.", **words)
    merge = rule.merges[number]
    return parts(
        "At merge **{number:,}**, where the two diverge, you took {pair} instead of {ruled}.",
        **words,
        ruled=step.pair(merge.left, merge.right),
    )


def _tokens_at_the_end(step: Step, rule: Training) -> Sentence:
    ours, theirs = step.training.token_count(step.last), rule.token_count(len(rule.merges))
    words = {"tokens": ours, "by_rule": theirs, "difference": abs(ours - theirs)}
    if ours == theirs:
        return parts("At the end the text has **{tokens:,} tokens**; by the rule it has {by_rule:,}: as many.", **words)
    if ours > theirs:
        return parts(
            "At the end the text has **{tokens:,} tokens**; by the rule it has {by_rule:,}: {difference:,} more.",
            **words,
        )
    return parts(
        "At the end the text has **{tokens:,} tokens**; by the rule it has {by_rule:,}: {difference:,} fewer.", **words
    )


def _vocabulary(training: Training, tokenizer: Tokenizer) -> set[bytes]:
    return {tokenizer.token_bytes(merge.token_id) for merge in training.merges}


def _only_in(training: Training, step: Step, others: set[bytes]) -> list[int]:
    ids = (merge.token_id for merge in training.merges)
    return [token_id for token_id in ids if step.tokenizer.token_bytes(token_id) not in others]


def _named(title: Sentence, ids: list[int], step: Step) -> Sentence:
    """A title followed by the first tokens, or "none"."""
    listed: list[SentencePart] = [*title, " "]
    for token_id in ids[:_NAMED]:
        listed += [step.chip(token_id), " "]
    if len(ids) > _NAMED:
        listed.append("…")
    return listed if ids else [*listed, _("none")]


def _show_both(step: Step) -> None:
    text = normalize(step.source.text[:_TEXT], step.config).text
    lanes = [
        lane(name, cache.trained_tokenizer(step.source, step.config, None, forks).encode(text))
        for name, forks in ((_("By the rule"), ()), (_("Your fork"), step.forks))
    ]
    interlinear_view(text, lanes, key="fork text", height=320)
    st.caption(_("The beginning of the training text, after the last merge of each."))
