"""Names and tags as the server takes them: training does not end because of a long one."""

from __future__ import annotations

from typing import Any, Iterable, List, Optional

from .values import warn

LONGEST_NAME = 200
LONGEST_TAG = 100
MOST_TAGS = 50


def name_of(name: Any) -> Optional[str]:
    """A run's name without blanks around it, cut where it is too long; None where nothing is left."""
    text = "" if name is None else str(name).strip()
    if len(text) > LONGEST_NAME:
        warn("init: the name is cut after %d of %d characters" % (LONGEST_NAME, len(text)))
    return text[:LONGEST_NAME].strip() or None


def tags_of(tags: Iterable[Any]) -> List[str]:
    """Tags without blanks around them, each once, cut where they are too long; empty ones and those beyond 50 are left out."""
    found: List[str] = []
    for tag in tags:
        text = str(tag).strip()
        if len(text) > LONGEST_TAG:
            warn("init: a tag is cut after %d of %d characters: %s …" % (LONGEST_TAG, len(text), text[:40]))
            text = text[:LONGEST_TAG].strip()
        if text and text not in found:
            found.append(text)
    if len(found) > MOST_TAGS:
        warn("init: a run has at most %d tags: the last %d are left out" % (MOST_TAGS, len(found) - MOST_TAGS))
    return found[:MOST_TAGS]
