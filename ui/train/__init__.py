"""The Train page: its cards, each in a file of its own, and the fragment that puts one step of a training together."""
