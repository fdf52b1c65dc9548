"""libyaml and the parser in Python give one answer to every text: the same value, or a refusal by both.

`PBEM_LONG=1` tries far more.
"""

from __future__ import annotations

import os
import random

import pytest
import yaml

from fuzz.pieces import document
from pbem.errors import FileError
from pbem.format import yaml_reader
from pbem.format.yaml_reader import Plain, parse_yaml

DOCUMENTS = 25_000 if os.environ.get("PBEM_LONG") == "1" else 1_000


def answer(data: bytes, loader: type[yaml.SafeLoader | yaml.CSafeLoader]) -> tuple[Plain] | None:
    """What a text says, in a pair of brackets, as read by one of the parsers; None where it is refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_reader, "LOADER", loader)
        try:
            return (parse_yaml(data),)
        except FileError:
            return None


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML has no libyaml here")
@pytest.mark.parametrize("seed", range(4))
def test_both_parsers_give_the_same_answer(seed: int) -> None:
    source = random.Random(seed)
    accepted = 0
    for _ in range(DOCUMENTS):
        data = document(source).encode()
        first, second = answer(data, yaml.CSafeLoader), answer(data, yaml.SafeLoader)
        # `repr` as well, for True equals 1
        assert (first, repr(first)) == (second, repr(second)), data
        accepted += first is not None
    assert accepted > DOCUMENTS / 8  # or the texts are too wild to try much
