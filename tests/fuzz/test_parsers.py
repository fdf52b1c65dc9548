"""All readers give one answer to every text: the same value, or a refusal.

The strict reader has two parsers, libyaml and the one in Python. What the reader of lines reads is what the
strict one reads, and what the independent verifier does, with PyYAML's own loader.

`PBEM_LONG=1` tries far more; `PBEM_TEXTS=300000 PBEM_SEED=7` says on how many texts the reader of lines is
tried, and on which.
"""

from __future__ import annotations

import os
import random
import sys

import pytest
import yaml

from fuzz.pieces import EXAMPLES, document, near_written
from pbem.errors import FileError
from pbem.format import strict_yaml
from pbem.format.strict_yaml import parse_strictly
from pbem.format.yaml_lines import read_lines
from pbem.format.yaml_text import Plain, decode_text

LONG = os.environ.get("PBEM_LONG") == "1"
DOCUMENTS = 25_000 if LONG else 1_000
TEXTS = int(os.environ.get("PBEM_TEXTS", "100000" if LONG else "4000"))
SEED = int(os.environ.get("PBEM_SEED", "0"))


def answer(data: bytes, loader: type[yaml.SafeLoader | yaml.CSafeLoader]) -> tuple[Plain] | None:
    """What a text says, in a pair of brackets, as read by one of the parsers; None where it is refused."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_yaml, "LOADER", loader)
        try:
            return (parse_strictly(decode_text(data)),)
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


@pytest.mark.parametrize("part", range(4))
def test_the_reader_of_lines_reads_nothing_otherwise(part: int) -> None:
    """Half of the texts are near the form that our writer writes."""
    source = random.Random(f"{SEED} {part}")
    read = 0
    for n in range(TEXTS // 4):
        data = (near_written if n % 2 else document)(source).encode()
        try:
            text = decode_text(data)
        except FileError:
            continue
        value = read_lines(text)
        if value is None:
            continue
        read += 1
        assert repr(answer(data, strict_yaml.LOADER)) == repr((value,)), data
        assert repr(yaml.load(text, Loader=strict_yaml.LOADER)) == repr(value), data
    sys.stdout.write(f"{read} of {TEXTS // 4} texts read by lines\n")
    assert read > TEXTS / 4 / 8  # or the texts are too wild to try much


def test_the_reader_of_lines_reads_what_our_writer_writes() -> None:
    """Every example is of its form: none waits for PyYAML."""
    for path in sorted(EXAMPLES.glob("*.yaml")):
        text = decode_text(path.read_bytes())
        assert read_lines(text) == parse_strictly(text), path.name
