"""Caption details of exported pictures that the URL does not contain."""

from __future__ import annotations

from bpe_core.bpe.settings_words import settings_line
from bpe_core.language import _, gettext, translate
from ui.session import training
from ui.session.samples import all_samples
from ui.views.pictures import offer_pictures
from ui.widgets.display import NAMES, base_title

_LONGEST = 60


def show_pictures() -> None:
    """Enable picture export in all views; once per run, after the page, which may change the text."""
    titles = {each.name: gettext(each.title) for each in all_samples()}
    names = {name: translate(title) for name, title in NAMES.items()}
    source = training.source()
    begins = " ".join(source.text[: 4 * _LONGEST].split())[:_LONGEST]
    text = titles[source.label] if source.kind == "sample" else _("“{text}”", text=begins)
    config = training.CONFIG.get()
    settings = settings_line(config, base=base_title(config))
    offer_pictures(names={**names, **titles}, trained_on=text, settings=settings)
