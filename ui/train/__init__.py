"""The Train page: its cards, one per file, and the fragment that assembles a step of a training."""
