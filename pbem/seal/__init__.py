"""Keys and signatures (FORMAT sections 2 and 4); sealed orders are in `pbem.seal.sealed`."""

from pbem.seal.keyfile import make_key, read_key
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.signatures import verify

__all__ = ["PrivateKey", "PublicKey", "make_key", "read_key", "verify"]
