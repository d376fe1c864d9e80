"""Text: TeX to Unicode, sentences, roles."""
