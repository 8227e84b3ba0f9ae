"""Address of a cluster: what to say where it cannot be reached."""

from __future__ import annotations

import os
import socket
from urllib.parse import urlsplit

_MODE, _TOKENS = "RAY_AUTH_MODE", ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
_SECONDS = 3.0
_PORT = 10001
"""Ray Client's, where an address has none."""


def remedy_of(address: str) -> str:
    """What may help, by whether something answers at the address and a token was given.

    A head of Ray 2.52 or later may ask for a token. Ray itself then says no more than that
    time ran out.
    """
    problem = _silence(address)
    if problem:
        return f"Nothing answers there: {problem}."
    variables = f"{_TOKENS[0]} or {_TOKENS[1]}"
    if os.environ.get(_MODE) == "token":
        return f"Something answers there; the token of {variables} may not be that of the head."
    return (
        f"Something answers there; if its head asks for a token, set {_MODE}=token, and {variables}"
        " as for the head."
    )


def _silence(address: str) -> str:
    """Why nobody can be reached at HOST:PORT, with or without ray://; empty if somebody can."""
    try:
        parts = urlsplit(address if "://" in address else f"//{address}")
        place = parts.hostname or "", parts.port or _PORT
        socket.create_connection(place, timeout=_SECONDS).close()
    except (OSError, ValueError) as error:
        return str(error)
    return ""
