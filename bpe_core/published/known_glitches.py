"""Glitch tokens: known tokens of published vocabularies that models have hardly ever seen in training.

A tokenizer is trained before its models, on text of its own. A string that is frequent there but nearly absent from a
model's training text becomes a token whose embedding stays near its initial value: the model can neither read nor write
it.

Sources: J. Rumbelow and M. Watkins, "SolidGoldMagikarp (plus, prompt generation)" and its sequels, 2023, for GPT-3 with
GPT-2's vocabulary; S. Land and M. Bartolo, "Fishing for Magikarp", 2024, arXiv 2405.05417, with its published results
for GPT-J (GPT-2's vocabulary) and StableLM 2 12B (cl100k's). Only some of their tokens are listed here. GPT-2 itself
was trained on the text of its tokenizer: for it the published results list few tokens other than those of
`merged_at_once`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from bpe_core import checks
from bpe_core.language import message
from bpe_core.tokenizer.tokenizer import Tokenizer

Study = Literal["GPT-3", "GPT-3 and GPT-J", "StableLM 2"]

ORIGINS = {
    "counting": message("Users of a forum that counts"),
    "spacecraft": message("Files of Kerbal Space Program"),
    "paste site": message("Links of a paste site"),
    "web shops": message("Pages of web shops"),
    "stream": message("A streamer's bot"),
    "developers": message("Names of developers"),
    "rockets": message("Logs of Rocket League"),
    "dragons": message("Names of Puzzle & Dragons"),
    "garbled": message("Text in the wrong encoding"),
    "tests": message("Files of a testing tool"),
    "inspections": message("Comments for a code checker"),
    "sequences": message("C# files of integer sequences"),
    "scala": message("Generated Scala packages"),
    "decompiled": message("Decompiled apps"),
    "translations": message("Translation files of programs"),
    "unknown": message("Unknown"),
}
"""Short descriptions of where a token occurred in the tokenizer's training text."""

STUDIES: dict[Study, str] = {
    "GPT-3": message("GPT-3 did not repeat it reliably (Rumbelow and Watkins 2023)."),
    "GPT-3 and GPT-J": message(
        "GPT-3 did not repeat it reliably (Rumbelow and Watkins 2023), and GPT-J does not write it even when asked to "
        "(Land and Bartolo 2024)."
    ),
    "StableLM 2": message(
        "StableLM 2, which has this vocabulary, does not write it even when asked to (Land and Bartolo 2024)."
    ),
}
"""Findings about a token, with their source."""


class GlitchToken(NamedTuple):
    """A known glitch token: its id, text, origin (a key of ORIGINS) and study (a key of STUDIES).

    >>> GlitchToken(43453, " SolidGoldMagikarp", "counting", "GPT-3 and GPT-J").origin
    'counting'
    """

    id: int
    text: str
    origin: str
    study: Study


def glitch_tokens(tokenizer: Tokenizer) -> dict[int, GlitchToken]:
    """Known glitch tokens of a tokenizer by id; empty unless its vocabulary has all those of GPT-2, or all of cl100k.

    >>> from bpe_core import load_pretrained
    >>> found = glitch_tokens(load_pretrained("gpt2"))
    >>> found[43453].text, ORIGINS[found[43453].origin]
    (' SolidGoldMagikarp', 'Users of a forum that counts')
    >>> glitch_tokens(load_pretrained("o200k_base"))
    {}
    """
    checks.instance(tokenizer, message("The tokenizer"), Tokenizer, message("a Tokenizer"))
    tokens = tokenizer.model.tokens
    for known in (GPT2, CL100K):
        if len(tokens) > known[-1].id and all(tokens[each.id] == each.text.encode() for each in known):
            return {each.id: each for each in known}
    return {}


_BOTH: Study = "GPT-3 and GPT-J"

GPT2: tuple[GlitchToken, ...] = tuple(
    sorted(
        (
            GlitchToken(43453, " SolidGoldMagikarp", "counting", _BOTH),
            GlitchToken(42202, "GoldMagikarp", "counting", _BOTH),
            GlitchToken(23282, " davidjl", "counting", _BOTH),
            GlitchToken(42090, " TheNitromeFan", "counting", _BOTH),
            GlitchToken(42089, " TheNitrome", "counting", _BOTH),
            GlitchToken(42066, "Nitrome", "counting", "GPT-3"),
            GlitchToken(36173, " RandomRedditor", "counting", _BOTH),
            GlitchToken(36174, " RandomRedditorWithNo", "counting", _BOTH),
            GlitchToken(32437, " Smartstocks", "counting", _BOTH),
            GlitchToken(46600, " Adinida", "counting", _BOTH),
            GlitchToken(18472, " guiActive", "spacecraft", "GPT-3"),
            GlitchToken(29372, " guiActiveUn", "spacecraft", _BOTH),
            GlitchToken(30210, " guiActiveUnfocused", "spacecraft", _BOTH),
            GlitchToken(30211, " guiIcon", "spacecraft", _BOTH),
            GlitchToken(30202, " guiName", "spacecraft", "GPT-3"),
            GlitchToken(30208, " externalTo", "spacecraft", "GPT-3"),
            GlitchToken(30212, " externalToEVA", "spacecraft", _BOTH),
            GlitchToken(30213, " externalToEVAOnly", "spacecraft", _BOTH),
            GlitchToken(30209, " unfocusedRange", "spacecraft", _BOTH),
            GlitchToken(35207, " attRot", "spacecraft", _BOTH),
            GlitchToken(50009, " strutConnector", "spacecraft", _BOTH),
            GlitchToken(42586, " srfN", "spacecraft", _BOTH),
            GlitchToken(43065, " srfAttach", "spacecraft", "GPT-3"),
            GlitchToken(37842, " partName", "spacecraft", "GPT-3"),
            GlitchToken(36938, " sqor", "spacecraft", _BOTH),
            GlitchToken(36940, " istg", "spacecraft", "GPT-3"),
            GlitchToken(30897, "reportprint", "paste site", _BOTH),
            GlitchToken(30898, "embedreportprint", "paste site", _BOTH),
            GlitchToken(30899, "cloneembedreportprint", "paste site", _BOTH),
            GlitchToken(30905, "rawdownload", "paste site", _BOTH),
            GlitchToken(30906, "rawdownloadcloneembedreportprint", "paste site", _BOTH),
            GlitchToken(40240, "oreAndOnline", "web shops", _BOTH),
            GlitchToken(40241, "InstoreAndOnline", "web shops", _BOTH),
            GlitchToken(40242, "BuyableInstoreAndOnline", "web shops", "GPT-3"),
            GlitchToken(39752, "quickShip", "web shops", _BOTH),
            GlitchToken(39753, "quickShipAvailable", "web shops", "GPT-3"),
            GlitchToken(39755, "isSpecialOrderable", "web shops", _BOTH),
            GlitchToken(39811, "soDeliveryDate", "web shops", _BOTH),
            GlitchToken(39757, "channelAvailability", "web shops", _BOTH),
            GlitchToken(39756, "inventoryQuantity", "web shops", "GPT-3"),
            GlitchToken(39177, "ItemThumbnailImage", "web shops", "GPT-3"),
            GlitchToken(39165, "catentry", "web shops", "GPT-3"),
            GlitchToken(12781, "wcsstore", "web shops", "GPT-3"),
            GlitchToken(39803, "soType", "web shops", "GPT-3"),
            GlitchToken(37574, "StreamerBot", "stream", _BOTH),
            GlitchToken(37579, "TPPStreamerBot", "stream", _BOTH),
            GlitchToken(37444, " petertodd", "developers", "GPT-3"),
            GlitchToken(36481, "ertodd", "developers", "GPT-3"),
            GlitchToken(31886, " gmaxwell", "developers", "GPT-3"),
            GlitchToken(28666, "PsyNetMessage", "rockets", _BOTH),
            GlitchToken(36130, " PsyNet", "rockets", "GPT-3"),
            GlitchToken(25992, " 裏覚醒", "dragons", _BOTH),
            GlitchToken(39821, "龍契士", "dragons", _BOTH),
            GlitchToken(33454, "龍喚士", "dragons", "GPT-3"),
            GlitchToken(35579, " Mechdragon", "dragons", "GPT-3"),
            GlitchToken(38250, " Skydragon", "dragons", "GPT-3"),
            GlitchToken(17900, " Dragonbound", "dragons", "GPT-3"),
            GlitchToken(5815, "ÃÂ" * 2, "garbled", "GPT-3"),
            GlitchToken(9364, "ÃÂ" * 4, "garbled", "GPT-3"),
            GlitchToken(14827, "ÃÂ" * 8, "garbled", "GPT-3"),
            GlitchToken(23090, "ÃÂ" * 16, "garbled", "GPT-3"),
            GlitchToken(43177, "EStreamFrame", "unknown", _BOTH),
            GlitchToken(39253, " UCHIJ", "unknown", _BOTH),
            GlitchToken(47571, " DevOnline", "unknown", _BOTH),
            GlitchToken(45544, " サーティ", "unknown", _BOTH),
            GlitchToken(45545, " サーティワン", "unknown", _BOTH),
            GlitchToken(41551, "Downloadha", "unknown", _BOTH),
            GlitchToken(31666, "?????-?????-", "unknown", _BOTH),
            GlitchToken(42424, "DragonMagazine", "unknown", _BOTH),
        )
    )
)
"""Glitch tokens of GPT-2's vocabulary, by id."""

_OF_CL100K: tuple[tuple[int, str, str], ...] = (
    (33786, "webElementProperties", "tests"),
    (45146, "%timeout", "unknown"),
    (47072, "webElementX", "tests"),
    (47073, "webElementXpaths", "tests"),
    (52362, "SpecWarn", "unknown"),
    (56225, ".sulake", "decompiled"),
    (70316, "erusform", "translations"),
    (70784, "Japgolly", "scala"),
    (71337, "+lsi", "unknown"),
    (72740, " typingsJapgolly", "scala"),
    (73016, " EnumerableStream", "sequences"),
    (73018, " StreamLazy", "sequences"),
    (79883, "\tTokenNameIdentifier", "unknown"),
    (80369, " ForCanBeConverted", "inspections"),
    (80370, " ForCanBeConvertedToF", "inspections"),
    (81259, "artisanlib", "translations"),
    (84576, " AppMethodBeat", "decompiled"),
    (85069, "PostalCodesNL", "unknown"),
    (85071, "$PostalCodesNL", "unknown"),
    (89471, "useRal", "tests"),
    (89472, "useRalative", "tests"),
    (89473, "useRalativeImagePath", "tests"),
    (89475, "elementGuidId", "tests"),
    (93905, " QtAws", "unknown"),
    (95073, "-vesm", "unknown"),
    (96656, "methodPointerType", "unknown"),
    (98100, "(stypy", "unknown"),
    (99944, " davidjl", "counting"),
)

CL100K: tuple[GlitchToken, ...] = tuple(GlitchToken(*each, "StableLM 2") for each in _OF_CL100K)
"""Glitch tokens of cl100k's vocabulary, by id."""
