"""Token labels: names marked in the text, tags for each token, and entities from scores."""

from __future__ import annotations

import streamlit as st

from bpe_core.language import _, joined, message, n_, term, translate
from bpe_core.payloads.captions import Captions
from bpe_core.payloads.chips import Chip, Column, Table, Tone
from bpe_core.tokenizer.label_groups import AGGREGATIONS, Entity
from bpe_core.tokenizer.labels import IGNORED
from bpe_core.tokenizer.row_tables import as_csv, as_json, as_python
from ui.pipeline.cache import DrawnPipeline
from ui.pipeline.examples import NAMES, choose_example
from ui.pipeline.label_marks import guesses, keep_guesses, mark, marked_text, marks
from ui.pipeline.label_scores import GENERAL, Labelled, LabelRow, sentences
from ui.session import labels
from ui.session.labels import DECIMALS, LABELS, TAGS, guess_fields, is_guess
from ui.views.text_marks import text_marks_view
from ui.views.token_table import token_table_view
from ui.views.verbatim import verbatim_view
from ui.widgets.controls import segments

_NAMES = dict(
    zip(
        LABELS,
        (message("Person"), message("Place"), message("Organisation"), message("Miscellaneous")),
        strict=True,
    )
)
_FORMS = {"table": message("Table"), "python": "Python", "json": "JSON", "csv": "CSV"}
_WRITERS = {"python": as_python, "json": as_json, "csv": as_csv}
_MOST_SENTENCES = 3


def show_labels(drawn: DrawnPipeline, kind: str) -> None:
    """Draw the card for a single text; it labels the first row of ids."""
    text = marked_text()
    labels.MARKED.set(text)
    if kind != "text":
        return
    rows, count = drawn.tables["1"]
    labelled = Labelled(text, rows, marks(), guesses())
    with st.container(border=True, key="labels over tokens"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**" + _("Labels over tokens") + "**", width="content")
            st.caption(
                _("Entity tags: B- begins an entity, I- continues it, O is outside."),
                width="content",
            )
            if not labelled.spans:
                st.space("stretch")
                st.button(_("Show an example"), on_click=choose_example, args=(NAMES,), key="example of labels")
        text_marks_view(
            text,
            labelled.spans,
            key="marks",
            label=_("The text to mark names in"),
            names=_names(),
            on_mark=mark,
        )
        if labelled.beyond:
            st.caption(
                n_(
                    "{count:,} mark beyond the end of the text left out.",
                    "{count:,} marks beyond the end of the text left out.",
                    labelled.beyond,
                )
            )
        if labelled.spans:
            _show_tags(labelled, count)
            _show_entities(labelled)


def _names() -> dict[str, str]:
    return {label: translate(name) for label, name in _NAMES.items()}


# -- spans to tags -----------------------------------------------------------------------------------------------


def _show_tags(labelled: Labelled, count: int) -> None:
    """Draw the tags and scores of each token, with the fields to change and copy them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**" + _("A tag for each token") + "**", width="content")
        if count > len(labelled.rows):
            caption = _("the first {shown:,} of {count:,} ids", shown=len(labelled.rows), count=count)
            st.caption(caption, width="content")
        st.space("stretch")
        segments(_("Copy the tags as"), _FORMS, labels.LABELS_COPY, hidden=True)
    st.caption(
        _("In IOB2 every name begins with B-, in IOB1 only one right after its own kind; green where they differ.")
    )
    form = labels.LABELS_COPY.get()
    if form != "table":
        verbatim_view(
            _WRITERS[form](labelled.table),
            label=_("The tags and example scores of each token"),
            key="written tags",
            height=330,
            wraps=False,
        )
        return
    at = _scored(labelled)
    token_table_view(
        _tags_table(labelled),
        key="tags",
        height=480,
        current=at,
        label=_("The tags and example scores of each token"),
        captions=Captions(caption=_remarks(labelled)),
        on_pick=labels.SCORED.set,
    )
    if at is not None:
        _choose_scores(labelled, at)


def _remarks(labelled: Labelled) -> str:
    remarks = sentences(labelled)
    more = len(remarks) - _MOST_SENTENCES
    rest = message("So it is with {count:,} more.", count=more) if more > 0 else ""
    special = message(
        "Special tokens have no characters: no tag, and the label id {id}, which training leaves out.",
        id=f"{IGNORED}".replace("-", "\u2212"),
    )
    return translate(joined(*remarks[:_MOST_SENTENCES], rest, special if None in labelled.iob2 else ""))


def _tags_table(labelled: Labelled) -> Table:
    rows = labelled.table
    differ: list[Tone] = ["up" if row.iob1 != row.iob2 else "" for row in rows]
    quiet: list[Tone] = ["dim" if row.iob2 in (None, "O") else tone for row, tone in zip(rows, differ, strict=True)]

    def guess(tag: str | None, score: float) -> str:
        return "" if tag is None or not score else f"{tag} {score:.{labelled.digits}f}"

    return Table(
        Column(_("token"), [_chip(row, each.id) for row, each in zip(rows, labelled.rows, strict=True)], "chip"),
        Column(_("start"), [row.start for row in rows], "number"),
        Column(_("end"), [row.end for row in rows], "number"),
        Column(_("IOB1 tag"), [row.iob1 or "\u2013" for row in rows], tones=quiet),
        Column(_("IOB2 tag"), [row.iob2 or "\u2013" for row in rows], tones=quiet),
        Column(_("label id"), [row.label_id for row in rows], "number"),
        Column(_("example scores"), [guess(row.first_tag, row.first_score) for row in rows]),
        Column("", [guess(row.second_tag, row.second_score) for row in rows]),
    )


def _chip(row: LabelRow, token_id: int) -> Chip:
    if isinstance(row.token, bytes):
        return Chip.of_bytes(token_id, row.token)
    return Chip.of_label(token_id, row.token) if row.word is None else Chip.of_bytes(token_id, row.token.encode())


# -- example scores ----------------------------------------------------------------------------------------------


def _scored(labelled: Labelled) -> int | None:
    """The token whose scores can be changed: the clicked one, or the first of a disputed word."""
    at = labels.SCORED.get()
    if at is not None and at < len(labelled.rows) and labelled.guesses[at] is not None:
        return at
    candidates = [word.start for word in labelled.disagreeing] + [
        each.tokens[0] for each in labelled.places if each.tokens
    ]
    return next(iter(candidates), None)


def _choose_scores(labelled: Labelled, at: int) -> None:
    """Draw the fields for the scores of a token."""
    guess, default = labelled.guesses[at], labelled.default_guesses[at]
    if guess is None or default is None:
        return
    tag, share, other_tag = guess_fields(default)
    tag.set(guess.first)
    share.set(guess.score)
    other_tag.set(guess.second)

    def changed() -> None:
        first, second, score = tag.get(), other_tag.get(), round(share.get(), DECIMALS)
        if first == second:  # swap the two tags
            first, second = (first, guess.first) if first != guess.first else (guess.second, second)
        if is_guess(first, score, second):
            made = guess._replace(first=first, score=score, second=second)
            others = [each for each in guesses() if each.place != guess.place]
            keep_guesses(others if made == default else [*others, made])  # interrupted runs may call without a change

    with st.container(horizontal=True, vertical_alignment="bottom", key="scores of a token"):
        st.selectbox(
            _("Highlighted token: tag"),
            TAGS,
            width=170,
            on_change=changed,
            help=_("A click on a row of the table chooses another token."),
            key=tag.key,
        )
        st.number_input(
            _("with a score of"),
            0.5,
            1.0,
            step=0.01,
            format=f"%.{DECIMALS}f",
            width=170,
            on_change=changed,
            key=share.key,
        )
        st.selectbox(_("and the rest for"), TAGS, width=170, on_change=changed, key=other_tag.key)
        if labels.GUESSES.get():
            st.button(_("Reset all scores"), on_click=keep_guesses, args=([],), type="tertiary", key="reset scores")


# -- scores to entities ------------------------------------------------------------------------------------------


def _show_entities(labelled: Labelled) -> None:
    """Draw the results of the strategies on the scores."""
    strategy = labels.AGGREGATION.get()
    found = labelled.entities(strategy)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**" + _("From scores back to names") + "**", width="content")
        st.space("stretch")
        st.segmented_control(
            _("Aggregation strategy"),
            AGGREGATIONS,
            required=True,
            label_visibility="collapsed",
            help=_("`aggregation_strategy` of the token classification pipeline in Hugging Face's transformers."),
            **labels.AGGREGATION.widget(),
        )
    st.caption(translate(GENERAL[strategy]))
    text_marks_view(
        labelled.text,
        [(each.start, each.end, each.label) for each in _apart(found)],
        key="entities",
        label=_("Names found from the scores"),
        names=_names(),
    )
    if labelled.disagreeing:
        _show_disputed(labelled)
    token_table_view(
        Table(
            Column(_("name in the text"), [labelled.text[each.start : each.end] for each in found]),
            Column(_("its label"), [each.label for each in found]),
            Column(_("score"), [each.score for each in found], "number", digits=labelled.digits),
            Column(_("start"), [each.start for each in found], "number"),
            Column(_("end"), [each.end for each in found], "number"),
            Column(translate(term("number", "tokens")), [each.stop - each.first for each in found], "number"),
        ),
        key="entities table",
        height=296,
        label=_("Names found from the scores, with their scores"),
        pickable=False,
    )


def _apart(found: list[Entity]) -> list[Entity]:
    """Entities that can be drawn side by side: of several tokens over one character, only the first."""
    kept: list[Entity] = []
    for each in found:
        if not kept or kept[-1].end <= each.start:
            kept.append(each)
    return kept


def _show_disputed(labelled: Labelled) -> None:
    """Draw one word with disagreeing tokens, under every strategy."""
    at = labels.SCORED.get()
    word = next((each for each in labelled.disagreeing if at in each), labelled.disagreeing[0])
    made = [labelled.of_word(word, strategy) for strategy in AGGREGATIONS]
    chosen: list[Tone] = ["strong" if each == labels.AGGREGATION.get() else "" for each in AGGREGATIONS]
    start, end = labelled.ranges[word.start][0], labelled.ranges[word.stop - 1][1]
    others = len(labelled.disagreeing) - 1
    name = f"\u201c{labelled.text[start:end]}\u201d"
    instruction = n_(
        "{word}, and {count:,} word more: click a token of it above",
        "{word}, and {count:,} words more: click a token of it above",
        others,
        word=name,
    )
    token_table_view(
        Table(
            Column(_("strategy"), list(AGGREGATIONS), tones=chosen),
            Column(_("label"), [labelled.labels_in(word, each) for each in AGGREGATIONS], tones=chosen),
            Column(
                _("score"),
                [each[0].score if len(each) == 1 else None for each in made],
                "number",
                digits=labelled.digits,
            ),
            Column(_("what it did"), [labelled.effect(word, each) for each in AGGREGATIONS], tones=["dim"] * 5),
        ),
        key="disputed word",
        height=None,
        label=_("A word whose tokens disagree, under every strategy"),
        captions=Captions(title=_("The tokens of a word disagree"), rest=instruction if others else name),
        pickable=False,
    )
