"""Secrets in a program's arguments are not recorded."""

from __future__ import annotations

import re
from typing import List

_MASK = "…"
_SECRET = re.compile(
    "(?:^|_)(?:password|passwd|passphrase|pwd|secret|token|credentials?|auth|authorization|apikey"
    "|(?:api|access|secret|private|auth|encryption|signing)_key)$"
)
# names of the tokens that tokenizers know
_OF_TOKENIZER = re.compile("(?:^|_)(?:bos|cls|end|eos|image|mask|pad|sep|special|start|stop|unk)_token$")
_NAMED = re.compile(r"([^\s=:]+)(=|:\s+)(.+)", re.DOTALL)
_ADDRESS = re.compile(r"(://[^/\s:@]*):[^/\s@]+@")


def masked_arguments(given: List[str]) -> List[str]:
    """The arguments with `…` for what looks secret by its name: `--password x`, `--api-key=x`, `TOKEN=x`, passwords in addresses.

    The TypeScript client and the workers have the same rule.
    """
    masked = []
    follows = False
    for argument in given:
        if follows and not argument.startswith("--"):
            masked.append(_MASK)
            follows = False
            continue
        named = _NAMED.fullmatch(argument)
        follows = named is None and argument.startswith("-") and _is_secret(argument)
        if named is not None and _is_secret(named.group(1)):
            masked.append(named.group(1) + named.group(2) + _MASK)
        else:
            masked.append(_ADDRESS.sub(r"\1:%s@" % _MASK, argument))
    return masked


def _is_secret(name: str) -> bool:
    words = re.sub("[^A-Za-z0-9]+", "_", re.sub("([a-z0-9])([A-Z])", r"\1_\2", name)).lower()
    return _SECRET.search(words) is not None and _OF_TOKENIZER.search(words) is None
