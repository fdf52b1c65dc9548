"""The cryptographic primitives against vectors that no library made; the browser's backend runs them too."""

from __future__ import annotations

import json

from support.primitive_vectors import FILE, disagreements, vectors

VECTORS = json.loads(FILE.read_text("utf-8"))


def test_vectors_are_those_of_the_equations() -> None:
    assert vectors() == VECTORS


def test_this_backend_agrees() -> None:
    assert [*disagreements(VECTORS)] == []


def test_vectors_tell_cofactor_from_none() -> None:
    """Some hold only with the cofactor, and some hold although their parts are of small order."""
    edge = [one for one in VECTORS["verifying"] if "with_cofactor" in one]
    assert any(one["with_cofactor"] and not one["holds"] for one in edge)
    assert any(one["holds"] and "both with parts" in one["why"] for one in edge)


def test_every_disagreement_is_found() -> None:
    for section, field in (
        ("signing", "key"),
        ("signing", "signature"),
        ("boxes", "data"),
        ("derived", "derived"),
        ("key_files", "seed"),
    ):
        altered = json.loads(json.dumps(VECTORS))
        altered[section][0][field] = "00" * (len(altered[section][0][field]) // 2)
        try:
            assert [*disagreements(altered)]
        except ValueError:  # the box does not open
            assert section == "boxes"
    altered = json.loads(json.dumps(VECTORS))
    for one in altered["verifying"]:
        one["holds"] = not one["holds"]
    assert len([*disagreements(altered)]) == len(altered["verifying"])
