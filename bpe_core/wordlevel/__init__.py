"""WordLevel: the model whose tokens are whole words."""
