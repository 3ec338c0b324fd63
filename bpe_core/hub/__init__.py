"""Tokenizers by model name on the Hugging Face hub, through its library. No other code uses the network."""
