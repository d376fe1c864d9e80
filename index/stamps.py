"""Stamps: by what a derived file is known to be whole and the one that was written."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import xxhash

LARGE = 256 * 2**20
"""Bytes from which on a file is not read through at each start.

Such a file is taken unread where neither its size nor its time of writing has changed since it was
stamped; `python -m index check` reads it.
"""
ABANDONED = 3600.0
"""Seconds after which a file that was not finished is nobody's; the greatest takes a minute."""
_CHUNK = 2**20


class Hashing:
    """A file that is written to, and what has been written so far."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = xxhash.xxh3_64()

    def write(self, data: Any) -> int:
        """Write bytes or anything that can be seen as such."""
        self._hash.update(data)
        return self._file.write(data)

    def hexdigest(self) -> str:
        """xxh3 of all that was written."""
        return self._hash.hexdigest()


def write(path: Path, fill: Callable[[Hashing], object]) -> dict[str, Any]:
    """Fill a file beside `path`, sync it, rename it there; its stamp.

    Raises:
        OSError: the folder cannot be written to; what lay at `path` is untouched.
    """
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with fresh.open("wb") as file:
            hashing = Hashing(file)
            fill(hashing)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    about = path.stat()
    return {"bytes": about.st_size, "written": about.st_mtime_ns, "xxh3": hashing.hexdigest()}


def sweep(paths: Iterable[Path]) -> None:
    """Take away files that nobody has written to for long: their writers were killed.

    Age tells it in containers, too, whose processes do not see each other.
    """
    for path in paths:
        # One may be gone meanwhile, and a folder that cannot be written to keeps them.
        with suppress(OSError):
            if time.time() - path.stat().st_mtime >= ABANDONED:
                path.unlink()


def sound(path: Path, stamp: dict[str, Any], *, thorough: bool = False) -> bool:
    """Whether a file is the one that was stamped.

    Raises:
        OSError: it is missing or cannot be read.
    """
    about = path.stat()
    if about.st_size != stamp.get("bytes"):
        return False
    if not thorough and about.st_size > LARGE and about.st_mtime_ns == stamp.get("written"):
        return True
    hashed = xxhash.xxh3_64()
    # Read and not mapped: pages looked at through a map would count as memory of ours.
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            hashed.update(chunk)
    return bool(hashed.hexdigest() == stamp.get("xxh3"))
