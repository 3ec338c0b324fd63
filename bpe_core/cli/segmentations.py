"""Options of `encode` for segmentations other than the tokenizer's own, and the resulting encoding."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from bpe_core.cli.terminal import UsageError
from bpe_core.language import _
from bpe_core.segmentations.fewest import encode_fewest
from bpe_core.segmentations.sampling import encode_sampled
from bpe_core.segmentations.ways import way_of
from bpe_core.tokenizer.encoding import Encoding
from bpe_core.tokenizer.tokenizer import SPECIAL_MODES, Tokenizer

_OPTIONS = ("dropout", "theta", "seed", "fewest")


def add_options(command: ArgumentParser) -> None:
    """Add --special, and the options of this module.

    >>> parser = ArgumentParser()
    >>> add_options(parser)
    >>> parser.parse_args(["--dropout", "0.1"]).dropout
    0.1
    """
    special = _("special tokens in it (default: text)")
    command.add_argument("--special", choices=SPECIAL_MODES, default="text", help=special)
    dropout = _("BPE: skip each merge with this probability, 0 to 1")
    command.add_argument("--dropout", type=float, metavar="P", help=dropout)
    theta = _("Unigram: draw from all segmentations; 0 makes all equally likely, large values favour the best")
    command.add_argument("--theta", type=float, metavar="T", help=theta)
    command.add_argument("--seed", type=int, metavar="N", help=_("of --dropout and --theta (default: 0)"))
    command.add_argument(
        "--fewest", action="store_true", default=None, help=_("the fewest tokens of the vocabulary for each word")
    )


def check_options(arguments: Namespace) -> None:
    """Raise UsageError for options that exclude each other, or --out.

    >>> check_options(Namespace(dropout=None, theta=None, seed=1, fewest=None, out=None))
    Traceback (most recent call last):
    bpe_core.cli.terminal.UsageError: --seed is for --dropout and --theta.
    """
    given = [name for name in _OPTIONS if getattr(arguments, name) is not None]
    ways = [f"--{name}" for name in given if name != "seed"]
    if arguments.out is not None and given:
        raise UsageError(_("{option} and --out are both given.", option=f"--{given[0]}"))
    if len(ways) > 1:
        raise UsageError(_("{option} and {other} are both given.", option=ways[0], other=ways[1]))
    if arguments.seed is not None and (not ways or arguments.fewest):
        raise UsageError(_("--seed is for --dropout and --theta."))


def encoded(tokenizer: Tokenizer, text: str, arguments: Namespace) -> Encoding:
    """Encoding of the text with these options. Raises UsageError for an option of another kind of tokenizer.

    >>> from bpe_core import load_pretrained
    >>> given = Namespace(dropout=1.0, theta=None, seed=None, fewest=None, special="text")
    >>> encoded(load_pretrained("gpt2"), "low", given).tokens
    ['l', 'o', 'w']
    """
    special, seed = arguments.special, arguments.seed or 0
    if arguments.fewest:
        return encode_fewest(tokenizer, text, special=special)
    way = way_of(tokenizer.model)
    if arguments.dropout is not None:
        if way == "paths":
            raise UsageError(_("--dropout is for BPE; {name} is Unigram: use --theta.", name=tokenizer.name))
        return encode_sampled(tokenizer, text, dropout=arguments.dropout, seed=seed, special=special)
    if arguments.theta is not None:
        if way == "dropout":
            raise UsageError(_("--theta is for Unigram; {name} is BPE: use --dropout.", name=tokenizer.name))
        return encode_sampled(tokenizer, text, theta=arguments.theta, seed=seed, special=special)
    return tokenizer.encode(text, special=special)
