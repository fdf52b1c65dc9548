"""The canonical form, the digests and the signed bytes of FORMAT section 2."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
import rfc8785
from hypothesis import given

from pbem.errors import FileError
from pbem.format.canonical import canonical_form, digest
from pbem.format.entries import sign_entry
from pbem.format.yaml_text import MAX_INTEGER, Plain
from support.sample_log import VECTORS, plain_values, signer_of


class TestCanonicalForm:
    """C(v) is RFC 8785 of v."""

    @given(plain_values())
    def test_an_independent_implementation_agrees(self, value: Plain) -> None:
        assert canonical_form(value) == rfc8785.dumps(value)

    @given(plain_values())
    def test_any_json_reader_gets_the_value_back(self, value: Plain) -> None:
        assert json.loads(canonical_form(value)) == value

    def test_keys_are_sorted_at_every_level(self) -> None:
        assert canonical_form({"b": [{"z": 1, "a": 2}], "B": 3, "": 4}) == b'{"":4,"B":3,"b":[{"a":2,"z":1}]}'

    def test_text_is_utf_8_and_only_what_json_demands_is_escaped(self) -> None:
        assert (
            canonical_form('é\u2028"\\\n\x00\x1f\x7f/')
            == "é\u2028".join(['"', '\\"\\\\\\n\\u0000\\u001f\x7f/"']).encode()
        )

    @pytest.mark.parametrize(
        "value",
        [
            1.5,
            2.0,
            float("nan"),
            MAX_INTEGER + 1,
            -MAX_INTEGER - 1,
            "\ud800",
            ["a\udfffb"],
            {"é": 1},
            {1: 1},
            (1, 2),
            {"a": b""},
        ],
        ids=ascii,
    )
    def test_what_is_not_plain_data_is_refused(self, value: Plain) -> None:
        with pytest.raises(FileError, match="FORMAT section 1"):
            canonical_form(value)

    def test_a_boolean_is_no_number(self) -> None:
        assert canonical_form([True, 1, False, 0]) == b"[true,1,false,0]"


class TestVectors:
    """The published entry and position have the published forms, digests and signature."""

    def test_entry(self) -> None:
        vector = VECTORS["entry"]
        entry = sign_entry(vector["entry"], signer_of("us"))
        assert entry.message == b"pbem/1 entry\n" + vector["canonical"].encode()
        assert entry.id == vector["id"]
        assert entry.raw["sig"] == vector["sig"]

    def test_position(self) -> None:
        assert digest(VECTORS["position"]["position"], b"pbem/1 position\n") == VECTORS["position"]["id"]

    def test_sealed_orders(self) -> None:
        assert canonical_form(VECTORS["seal"]["orders"]).decode() == VECTORS["seal"]["canonical"]

    def test_a_digest_without_a_label_is_that_of_the_form_alone(self) -> None:
        assert digest({"b": 1, "a": "é"}) == sha256('{"a":"é","b":1}'.encode()).hexdigest()
