"""JSON with a checksum of itself, so that what is damaged or changed by hand is not taken for what komi counted."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

_HEAD = re.compile(r'\{"sha256":"([0-9a-f]{64})",\n')


def seal(content: dict[str, Any]) -> str:
    """Write an object as JSON: the first line has its first key, the checksum of all the lines after it.

    Parameters
    ----------
    content : dict
        Of what JSON knows, with at least one key.
    """
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)[1:] + "\n"
    return f'{{"sha256":"{_checksum(body)}",\n{body}'


def unseal(text: str) -> dict[str, Any]:
    """Read what `seal` wrote.

    Raises
    ------
    ValueError
        If it has been changed since, or is nothing of the kind.
    """
    head = _HEAD.match(text)
    if head is None:
        raise ValueError("it has no checksum")
    body = text[head.end() :]
    if head[1] != _checksum(body):
        raise ValueError("its checksum is wrong")
    content: dict[str, Any] = json.loads("{" + body)
    return content


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()
