"""Keys and signatures (FORMAT sections 2 and 4); sealed orders are in `pbem.keys.boxes`."""

from pbem.keys.boxes import box_key, close_box, open_box, seal_digest
from pbem.keys.keyfile import make_key, protect_key, read_key, read_open_key, read_public
from pbem.keys.pair import PrivateKey, PublicKey
from pbem.keys.signatures import verify

__all__ = [
    "PrivateKey",
    "PublicKey",
    "box_key",
    "close_box",
    "make_key",
    "open_box",
    "protect_key",
    "read_key",
    "read_open_key",
    "read_public",
    "seal_digest",
    "verify",
]
