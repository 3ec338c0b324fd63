"""What a key on Compare needs is made from what is known of the text before it."""

import pytest

from bpe_core import TrainConfig, compare
from bpe_core.tokenizer.tokenizer import Special
from ui.compare import cache
from ui.session.training import Source


@pytest.mark.parametrize("special", ["text", "parse"])
def test_what_a_key_compares_is_what_comparing_the_whole_text_gives(special: Special) -> None:
    before, after = (Source("compared", "", text) for text in ("low\nnew\nwide\n" * 9, "low\nnewer\nwide\n" * 9))
    names, settings = ("gpt2", "bert-base-uncased", "t5-small"), (Source("sample", "", "low"), TrainConfig(), ())
    key = (names, *settings, after, special)
    cache.comparison.forget()
    assert cache.changed_comparison(before, *key) is None, "nothing is known"
    cache.comparison(names, *settings, before, special)
    changed = cache.changed_comparison(before, *key)
    assert changed is not None
    assert cache.comparison.cached(*key) is changed
    whole = compare(after.text, {name: changed.tokenizer(name) for name in changed.names}, special=special)
    assert changed.rows == whole.rows
    left, right, other = changed.names
    for pair in ((left, right), (right, other)):
        assert changed.disagreements(*pair) == whole.disagreements(*pair)
