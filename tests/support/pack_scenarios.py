"""Write the JSON of every YAML file that a game ships beside it, which is what pbem reads.

    cd tests && python -m support.pack_scenarios

Run it after changing such a YAML file; `test_packed.py` fails until then.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

import pbem.games
from pbem.format.strict_yaml import load

SHIPPED = sorted(Path(pbem.games.__file__).parent.glob("*/data/*.yaml"))


def packed_json(source: Path) -> bytes:
    """The JSON of a YAML file."""
    return msgspec.json.encode(load(source.read_text("utf-8"))) + b"\n"


if __name__ == "__main__":
    for source in SHIPPED:
        source.with_suffix(".json").write_bytes(packed_json(source))
