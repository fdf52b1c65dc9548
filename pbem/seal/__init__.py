"""Keys and signatures (FORMAT sections 2 and 4); sealed orders are in `pbem.seal.sealed`."""

from pbem.seal.keyfile import make_key, read_key
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.sealed import box_key, close_box, open_box, seal_digest
from pbem.seal.signatures import verify

__all__ = [
    "PrivateKey",
    "PublicKey",
    "box_key",
    "close_box",
    "make_key",
    "open_box",
    "read_key",
    "seal_digest",
    "verify",
]
