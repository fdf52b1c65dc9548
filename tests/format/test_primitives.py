"""The cryptographic primitives against vectors that no library made; the browser's backend runs them too."""

from __future__ import annotations

import json

import pytest

from support.primitive_vectors import FILE, disagreements, vectors

VECTORS = json.loads(FILE.read_text("utf-8"))


@pytest.mark.thorough
def test_vectors_are_those_of_the_equations() -> None:
    assert vectors() == VECTORS


def test_this_backend_agrees() -> None:
    assert [*disagreements(VECTORS)] == []


def test_vectors_tell_cofactor_from_none() -> None:
    """Some hold only with the cofactor, and some hold although their parts are of small order."""
    edge = [one for one in VECTORS["verifying"] if "with_cofactor" in one]
    assert any(one["with_cofactor"] and not one["holds"] for one in edge)
    assert any(one["holds"] and "both with parts" in one["why"] for one in edge)


@pytest.mark.thorough
def test_every_disagreement_is_found() -> None:
    for section, field in (
        ("signing", "key"),
        ("signing", "signature"),
        ("boxes", "data"),
        ("derived", "derived"),
        ("key_files", "seed"),
    ):
        first = dict(VECTORS[section][0])
        first[field] = "00" * (len(first[field]) // 2)
        alone = {name: [first] if name == section else [] for name in VECTORS}
        try:
            assert [*disagreements(alone)]
        except ValueError:  # the box does not open
            assert section == "boxes"
    turned = [{**one, "holds": not one["holds"]} for one in VECTORS["verifying"]]
    alone = {name: turned if name == "verifying" else [] for name in VECTORS}
    assert len([*disagreements(alone)]) == len(turned)
