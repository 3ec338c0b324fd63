"""Charts as Plotly figures, built from arrays and tables. Plotly is imported lazily."""
