"""The trainings of Algorithms step by step, as data: cards, segmentations, vocabularies, and the page to download."""
