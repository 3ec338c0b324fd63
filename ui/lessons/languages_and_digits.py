"""Tables beside the answers of the lessons on fairness to languages and on digits. Pure data, no Streamlit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpe_core import TrainConfig, train_parity
from bpe_core.language import _, gettext
from bpe_core.payloads.chips import Column, Table
from ui.session.samples import all_samples

if TYPE_CHECKING:
    from ui.lessons.tables import OfLesson


def fair_languages(given: OfLesson) -> Table:
    """Tokens of the sample paragraph by language: usual training, and parity-aware by paragraph and by bytes."""
    samples = [each for each in all_samples() if each.group == "parallel"]
    texts = {each.name: each.text for each in samples}
    config = TrainConfig(vocab_size=int(given.choices["fair_ids"]), min_count=2)
    columns = {
        _("Usual training"): train_parity(texts, config, global_merges=config.vocab_size),
        _("Parity-aware, by paragraph"): train_parity(texts, config, unit="lines"),
        _("Parity-aware, by bytes"): train_parity(texts, config, unit="bytes"),
    }
    return Table(
        (
            Column(_("Language"), [gettext(each.language) for each in samples]),
            *(Column(title, found.tokens[-1].tolist(), "number") for title, found in columns.items()),
        )
    )
