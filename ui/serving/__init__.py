"""The server: its start, its files and headers, and how its sessions differ from Streamlit's."""
