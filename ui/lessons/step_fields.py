"""Steps of a lesson in the lesson editor: a list of entries to edit, move and delete, and a button that adds one."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _
from ui.lessons.choosing import KINDS, begin_choosing
from ui.lessons.row_actions import show_row_actions
from ui.session import own_drafts
from ui.session.lesson_steps import LARGEST_STEP, LONGEST_SENTENCE, MOST_STEPS, REACH, LessonStep, kinds_of
from ui.session.own_steps import DRAFTS, StepDraft
from ui.session.step_places import places_of
from ui.widgets.controls import menu
from ui.widgets.display import page_title


def show_steps(steps: tuple[LessonStep, ...], page: str) -> None:
    """Draw the fields of the steps of a lesson that opens this page."""
    for at, (each, draft) in enumerate(zip(steps, DRAFTS, strict=False)):
        with st.container(border=True, gap="xsmall", key=f"own step {at}"):
            _show_sentence(draft, at, len(steps))
            _show_place(draft, each, page)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            _("Add a step"),
            key="add step",
            icon=":material/ads_click:",
            disabled=len(steps) >= MOST_STEPS,
            help=_("Opens {page}: click what the step points at, then write one sentence.", page=page_title(page)),
            on_click=begin_choosing,
        )
        if not steps:
            st.caption(_("Steps lead through the page, one thing at a time."), width="content")
        elif len(steps) >= MOST_STEPS:
            st.caption(_("A lesson has at most {most} steps.", most=MOST_STEPS), width="content")


def _show_sentence(draft: StepDraft, at: int, count: int) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        st.text_input(
            _("Step {number}", number=at + 1),
            max_chars=LONGEST_SENTENCE,
            on_change=own_drafts.take,
            **draft.says.widget(),
        )
        show_row_actions(
            at,
            count,
            key="step ",
            titles=(
                _("Move step {number} up", number=at + 1),
                _("Move step {number} down", number=at + 1),
                _("Delete step {number}", number=at + 1),
            ),
            move=own_drafts.move_step,
            delete=own_drafts.delete_step,
        )


def _show_place(draft: StepDraft, each: LessonStep, page: str) -> None:
    places = places_of(page)
    if draft.at.get() not in places:
        draft.at.set(each.at)
    kinds = kinds_of(page, draft.at.get())
    if draft.done.get() not in kinds:
        draft.done.set(kinds[0])
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        titles = {name: place.title for name, place in places.items()}
        menu(_("Points at"), titles, draft.at, width=230, on_change=own_drafts.take)
        menu(_("Goes on"), {kind: KINDS[kind] for kind in kinds}, draft.done, width=250, on_change=own_drafts.take)
        if draft.done.get() == REACH:
            st.number_input(
                _("Step of the player"),
                min_value=0,
                max_value=LARGEST_STEP,
                step=1,
                width=120,
                placeholder=_("last"),
                on_change=own_drafts.take,
                **draft.step.widget(),
            )
