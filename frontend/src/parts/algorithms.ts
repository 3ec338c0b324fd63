// Views of Algorithms alone, loaded with that page, or else with the first payload for one of them.

import { ofTokens } from "../views.ts";
import { AlgorithmCards } from "../views/algorithm_cards/algorithm_cards.ts";
import ALGORITHM_CARDS from "../views/algorithm_cards/algorithm_cards.css";
import { Lattice } from "../views/lattice/lattice.ts";
import LATTICE from "../views/lattice/lattice.css";
import { WordSegmentations } from "../views/word_segmentations/word_segmentations.ts";
import WORD_SEGMENTATIONS from "../views/word_segmentations/word_segmentations.css";

export const VIEWS = {
  algorithm_cards: ofTokens(AlgorithmCards, ALGORITHM_CARDS),
  lattice: ofTokens(Lattice, LATTICE),
  word_segmentations: ofTokens(WordSegmentations, WORD_SEGMENTATIONS),
};
