"""The web app: its built files, its headers, its addresses."""
