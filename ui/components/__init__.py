"""Custom Streamlit components, one folder each: the Python side, a script and a stylesheet."""
