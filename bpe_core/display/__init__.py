"""Charts as Plotly figures, made of arrays and tables. Plotly is imported with the first of them."""
