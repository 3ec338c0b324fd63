"""Tokenizers by the name of their model on the Hugging Face hub, through its library. Nothing else asks a network."""
