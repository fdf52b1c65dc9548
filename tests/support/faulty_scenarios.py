"""Scenarios with faults in them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st

from pbem.core.requests import Plain
from pbem.core.scenarios import Scenarios
from pbem.errors import FileError


def place_in(data: Any, path: str) -> tuple[Any, str]:
    """The container of a place such as `map hexes 1403`, and its key there."""
    *inside, last = path.split()
    for key in inside:
        data = data[key]
    return data, last


def assert_only_fault(
    scenarios: Scenarios[Any], read: Callable[[], object], data: Plain, message: str
) -> None:
    """Check that this is the only fault, both when all are listed and when the game `read`s the data."""
    assert [*map(str, scenarios.check(data))] == [message]
    with pytest.raises(FileError) as refused:
        read()
    hint = f" ({refused.value.hint})" if refused.value.hint else ""
    assert f"{refused.value}{hint}" == message


def plain_data(texts: Sequence[str]) -> st.SearchStrategy[Plain]:
    """Plain data, with some of these texts."""
    return st.recursive(
        st.none() | st.booleans() | st.integers(-100, 100) | st.sampled_from(texts),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["value", "a b"]), inner),
        max_leaves=4,
    )


def assert_faults_listed(
    scenarios: Scenarios[Any], good: Plain, draw: st.DataObject, texts: Sequence[str]
) -> None:
    """Check that whatever is anywhere in a scenario, the check ends with a list of faults."""
    data = inside = copy.deepcopy(good)
    while True:
        key = draw.draw(st.sampled_from(sorted(inside) if isinstance(inside, dict) else range(len(inside))))
        if not isinstance(inside[key], dict | list) or not inside[key] or draw.draw(st.booleans()):
            inside[key] = draw.draw(plain_data(texts))
            break
        inside = inside[key]
    problems = scenarios.check(data)
    json.dumps([*map(str, problems)])
    try:
        msgspec.convert(data, scenarios.kind)
    except msgspec.ValidationError:
        assert problems
