// Definitions of the terms that ui/widgets/layout.py marks; GLOSSARY.md lists them, too.

import { t } from "../i18n/words.ts";

/** Definition of each term, in one sentence, in the page's language. */
export function definitions(): Record<string, string> {
  return {
    "special-token": t("A token that no merge makes, such as <|endoftext|>: it is found in the text before everything else."),
    "base-symbol": t("What a word is made of before any merge: one of the 256 bytes, or a character."),
    "byte-fallback": t("A character that is not in the vocabulary is spelled by tokens for its bytes."),
    "code-point": t("A number of Unicode: a character or a part of one, such as an accent or the skin tone of an emoji."),
    merge: t("A rule that replaces a pair by one new token everywhere; training finds one at each step."),
    token: t("A piece of text with a number, its id: what a language model reads and writes."),
    rank: t("The place of a merge in the order of training: the lowest is applied first."),
    pair: t("Two neighbouring symbols or tokens in a word."),
    vocabulary: t("All tokens with their ids: special tokens, base symbols, and one token for each merge."),
    split: t("Pre-tokenization: the text is divided into words first, and no merge crosses their edges."),
    normalization: t("What is done to a text before anything else: Unicode form, lower case, accents."),
    offset: t("A place in a text, counted from its start in bytes or in characters."),
    fertility: t("Tokens per word, where words are what white space separates."),
    compression: t("Bytes of text per token: the higher, the fewer tokens a text takes."),
    byte: t("A number from 0 to 255; UTF-8 writes each character as one to four of them."),
    boundary: t("The place between two tokens."),
    tie: t("Several pairs share the largest count; a rule decides which of them is merged."),
    unigram: t("A model that gives each token a probability, and cuts a word in the most probable way."),
    wordpiece: t("A model that takes the longest token that fits, from the left, again and again; BERT has it."),
    "best-path": t("The cheapest way through all ways to cut a word; Viterbi's algorithm finds it without trying each."),
  };
}
