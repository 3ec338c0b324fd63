"""add: add a token by hand; shrink: keep only some tokens. Both list the words that are then segmented differently."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bpe_core.arrays import Int32s
from bpe_core.bpe.merge_path import with_merge_path
from bpe_core.bpe.shrinking import with_first_merges_only, with_used_tokens
from bpe_core.cli import values
from bpe_core.cli.commands import DEFAULT_FORMAT, checked_target, given_text
from bpe_core.cli.help import Parser
from bpe_core.cli.loading import loaded
from bpe_core.cli.terminal import STDIN, UsageError, interrupted_at_once, read_text, report, table, write, write_json
from bpe_core.comparison.changes import ChangedWords, changed_words
from bpe_core.formats import by_merges, save
from bpe_core.language import _, n_, term, translate
from bpe_core.text.marks import marked
from bpe_core.tokenizer.added_token import with_added_token
from bpe_core.tokenizer.chips import plain
from bpe_core.tokenizer.tokenizer import Tokenizer

_MOST_WORDS = 20
_FLAGS = {"single_word": "whole_word", "lstrip": "strip_left", "rstrip": "strip_right", "special": "special"}


def declare(command: Callable[[str, str], Parser], shared: Callable[[Parser], None]) -> None:
    """Declare both commands. `shared`: adds the options of the tokenizer, its text and its file.

    >>> from bpe_core.cli.arguments import parser
    >>> parser("bpe").parse_args(["add", "lantern", "--tokenizer", "gpt2", "--lstrip"]).lstrip
    True
    """
    adding = command("add", _("Add a token by hand, and list the words of a text that are then segmented differently."))
    adding.add_argument("token", metavar="TOKEN", help=_("its text"))
    shared(adding)
    merges = _("by merges of its parts, after all others, instead of as an added token")
    adding.add_argument("--merges", action="store_true", help=merges)
    adding.add_argument("--single-word", action="store_true", help=_("only where no letter or digit is next to it"))
    adding.add_argument("--lstrip", action="store_true", help=_("with the white space before it"))
    adding.add_argument("--rstrip", action="store_true", help=_("with the white space after it"))
    adding.add_argument("--not-normalized", action="store_true", help=_("matched before normalization"))
    adding.add_argument("--special", action="store_true", help=_("a special token: left out when decoding"))
    smaller = command(
        "shrink", _("Keep some of the tokens, renumbered, and list the words that are then segmented differently.")
    )
    shared(smaller)
    kept = smaller.add_mutually_exclusive_group(required=True)
    kept.add_argument("--first-merges", type=values.count, metavar="N", help=_("keep the first merges"))
    kept.add_argument("--used-in", metavar="FILE", help=_("keep the tokens that this text uses, and their parts"))
    smaller.add_argument("--map", metavar="PATH", help=_("write the old id of each new one there, as JSON"))


def add(arguments: Namespace) -> None:
    """Add a token, list the words that change, and save the tokenizer. Raises UsageError for flags with --merges.

    >>> from bpe_core.cli.arguments import parser
    >>> add(parser("bpe").parse_args(["add", "lantern", "--tokenizer", "gpt2", "--text", "my lanterns"]))
    1 word is segmented differently; 3 tokens before, 4 after
    <BLANKLINE>
    word        count  before        after             why
    ·lanterns       1  ·lantern | s  · | lantern | s   ...
    """
    flags = {name: True for option, name in _FLAGS.items() if getattr(arguments, option)}
    if arguments.not_normalized:
        flags["normalized"] = False
    if arguments.merges and flags:
        raise UsageError(_("--merges makes no added token, so it has no flags."))
    if arguments.out is None and arguments.text is None and arguments.file is None:
        raise UsageError(_("Name a text, with --text or as a file, or --out for the tokenizer."))
    tokenizer = _checked(arguments)
    if arguments.merges:
        tokenizer = by_merges(tokenizer)
        made = with_merge_path(tokenizer, arguments.token)
    else:
        made = with_added_token(tokenizer, arguments.token, **flags)
    _finish(arguments, tokenizer, made, {"vocab_size": made.vocab_size})


def shrink(arguments: Namespace) -> None:
    """Keep some of the tokens, list the words that change, and save the tokenizer and the map of its ids.

    >>> from bpe_core.cli.arguments import parser
    >>> given = ["--tokenizer", "gpt2", "--first-merges", "1000", "--text", "my lanterns"]
    >>> shrink(parser("bpe").parse_args(["shrink", *given]))
    1,257 ids kept, 49,000 gone
    2 words are segmented differently; 3 tokens before, 6 after
    <BLANKLINE>
    word       count        before               after                                          why
    my             1            my               m | y  A token was removed: shorter ones spell it.
    ·lanterns      1  ·lantern | s  ·l | an | tern | s  A token was removed: shorter ones spell it.
    """
    tokenizer = by_merges(_checked(arguments))
    if arguments.used_in is None:
        found = with_first_merges_only(tokenizer, arguments.first_merges)
    else:
        found = with_used_tokens(tokenizer, read_text(arguments.used_in, arguments.encoding))
    if arguments.map is not None:
        Path(arguments.map).write_text(json.dumps({"kept": found.kept.tolist(), "lost": found.lost.tolist()}))
    ids = {"vocab_size": len(found.kept), "lost": len(found.lost)}
    if not arguments.json:
        report(_("{kept:,} ids kept, {lost:,} gone", kept=len(found.kept), lost=len(found.lost)))
    _finish(arguments, tokenizer, found.tokenizer, ids, found.kept)


def _checked(arguments: Namespace) -> Tokenizer:
    """The tokenizer. Raises UsageError before any work if the target cannot be written."""
    if arguments.out == STDIN:
        raise UsageError(_("--out takes a file here: the words are written to stdout."))
    if arguments.out is not None:
        checked_target(arguments)
    return loaded(arguments)


def _finish(
    arguments: Namespace, before: Tokenizer, after: Tokenizer, facts: dict[str, Any], kept: Int32s | None = None
) -> None:
    if arguments.text is not None or arguments.file is not None:
        with interrupted_at_once():
            text = given_text(arguments)
            found = changed_words(before, after, text, kept=kept)
        facts |= {"tokens_before": found.tokens_before, "tokens_after": found.tokens_after, "places": found.places}
        facts["words"] = [asdict(word) | {"why": str(word.why)} for word in found.words]
        if not arguments.json:
            write(_words(before, after, found))
    if arguments.out is not None:
        save(after, arguments.out, format=arguments.format or DEFAULT_FORMAT)
    if arguments.json:
        write_json(facts)


def _words(before: Tokenizer, after: Tokenizer, found: ChangedWords) -> str:
    head = n_(
        "{count:,} word is segmented differently; {before:,} tokens before, {after:,} after",
        "{count:,} words are segmented differently; {before:,} tokens before, {after:,} after",
        len(found.words),
        before=found.tokens_before,
        after=found.tokens_after,
    )
    if not found.words:
        return head + "\n"
    rows = [
        (
            marked(word.text),
            f"{word.count:,}",
            _tokens(before, word.before),
            _tokens(after, word.after),
            translate(word.why),
        )
        for word in found.words[:_MOST_WORDS]
    ]
    lines = table([(translate(term("of the split", "word")), _("count"), _("before"), _("after"), _("why")), *rows])
    more = len(found.words) - _MOST_WORDS
    rest = n_("and {count:,} more, with --json", "and {count:,} more, with --json", more) + "\n" if more > 0 else ""
    return f"{head}\n\n{lines}{rest}"


def _tokens(tokenizer: Tokenizer, ids: tuple[int, ...]) -> str:
    return " | ".join(plain(tokenizer.token_bytes(token_id)) for token_id in ids)
