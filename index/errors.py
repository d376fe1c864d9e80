"""Errors a person can cause, each with one message that says what to do next."""

from __future__ import annotations


class LibraryError(Exception):
    """The library cannot do what was asked; the message is one clear line."""


class EmbeddingError(LibraryError):
    """The embedding model cannot be used."""


class NoLibrary(LibraryError):
    """The folder holds no library."""


class ModelMismatch(LibraryError):
    """The vectors were made by another embedding model."""


class NewerSchema(LibraryError):
    """The library was written by a newer version."""


class UnknownPaper(LibraryError):
    """Nothing in the library goes by that name."""
