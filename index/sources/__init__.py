"""Readers of papers, one module a source."""
