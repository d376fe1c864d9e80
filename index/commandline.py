"""Running a typer app so that bad input costs one clear line and never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer
from typer.exceptions import TyperException

BAD_INPUT = 2
INTERRUPTED = 130


def run(
    app: typer.Typer,
    prog: str,
    errors: tuple[type[Exception], ...],
    arguments: Sequence[str] | None = None,
) -> int:
    """Run the app and return the exit status.

    `errors` are those a person can cause: their message is printed as one line on stderr and
    the status is 2, as it is for an unknown option or a missing argument.
    """
    try:
        outcome = app(args=arguments, prog_name=prog, standalone_mode=False)
        sys.stdout.flush()
    except TyperException as error:
        return _complain(prog, f"{error.format_message().rstrip('.')}. See `{prog} --help`.")
    except errors as error:
        return _complain(prog, str(error))
    except (typer.Abort, KeyboardInterrupt):
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has left. Stdout goes nowhere, so that the interpreter's last
        # flush has nothing to complain about.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # A full disk, most of all; what a room knows more of, it says itself.
        return _complain(prog, f"{error.strerror or error}: {error.filename or 'writing failed'}")
    return outcome if isinstance(outcome, int) else 0


def _complain(prog: str, message: str) -> int:
    print(f"{prog}: {' '.join(message.split())}", file=sys.stderr)
    return BAD_INPUT
