"""WordPiece: training by score, and the model that takes the longest match."""
