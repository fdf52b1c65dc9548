"""The vectors of the cryptographic primitives, and whether an implementation agrees with them.

    cd tests && python -m support.primitive_vectors        writes vectors/primitives.json

The published ones are those of the RFCs. Signatures that honest signers never make are computed here, from
the equations of RFC 8032, 5.1, with integers only: no library decides what is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha512
from pathlib import Path
from typing import Any, TypeAlias

from pbem.format import primitives

FILE = Path(__file__).parents[1] / "vectors" / "primitives.json"
Point: TypeAlias = "tuple[int, int]"

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)
MESSAGE = b"move 2SS-A 1803"


def add(one: Point, other: Point) -> Point:
    """The sum of two points, RFC 8032 5.1.4, by the affine formulas."""
    (x1, y1), (x2, y2) = one, other
    both = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P)
    return x % P, (y1 * y2 + x1 * x2) * pow(1 - both, -1, P) % P


def times(number: int, point: Point) -> Point:
    """A multiple of a point."""
    found = (0, 1)
    for bit in bin(number)[2:]:
        found = add(found, found)
        if bit == "1":
            found = add(found, point)
    return found


def with_y(y: int, sign: int) -> Point:
    """The point with this y, RFC 8032 5.1.3."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT_OF_MINUS_1 % P
    assert x * x % P == square
    return (x if x % 2 == sign else -x % P), y


def encoded(point: Point) -> bytes:
    """RFC 8032, 5.1.2."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


BASE = with_y(4 * pow(5, -1, P) % P, 0)
EIGHTH = with_y(0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826, 0)
"""A point of order 8."""


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    """k of RFC 8032, 5.1.7."""
    return int.from_bytes(sha512(r + key + message).digest(), "little") % L


def made(key: Point, secret: int, nonce: Point, r: int, message: bytes = MESSAGE) -> dict[str, Any]:
    """A signature by the equations, with a key and an R that can have a component of small order.

    It holds if R = S·B - k·A, as bytes; with the cofactor, which FORMAT does not use, if 8 times both are
    equal.
    """
    signature = encoded(nonce)
    k = challenge(signature, encoded(key), message)
    s = (r + k * secret) % L
    right = add(times(s, BASE), times(L * 8 - k, key))
    cofactored = times(8, right) == times(8, nonce)
    return {
        "key": encoded(key).hex(),
        "message": message.hex(),
        "signature": (signature + s.to_bytes(32, "little")).hex(),
        "holds": right == nonce,
        "with_cofactor": cofactored,
    }


def signatures() -> Iterator[dict[str, Any]]:
    """Signatures at the edges, each with whether it holds."""
    a, r = 0x1234567890ABCDEF * 3**70 % L, 0xFEDCBA0987654321 * 5**60 % L
    key, nonce = times(a, BASE), times(r, BASE)
    plain = made(key, a, nonce, r)
    yield {"why": "as an honest signer makes it", **plain}
    raw = bytes.fromhex(plain["signature"])
    s = int.from_bytes(raw[32:], "little")
    refused = {**plain, "holds": False}
    for n in range(1, 16):
        if s + n * L < 2**256:
            longer = (raw[:32] + (s + n * L).to_bytes(32, "little")).hex()
            yield {"why": f"S + {n} L", **refused, "signature": longer}
    yield {"why": "S = L", **refused, "signature": (raw[:32] + L.to_bytes(32, "little")).hex()}
    yield {"why": "another message", **refused, "message": (MESSAGE + b" ").hex()}
    yield {"why": "a bit of R", **refused, "signature": bytes([raw[0] ^ 1, *raw[1:]]).hex()}
    yield {"why": "a bit of S", **refused, "signature": bytes([*raw[:32], raw[32] ^ 1, *raw[33:]]).hex()}
    for bad in (raw[:63], raw + b"\0", b""):
        yield {"why": f"{len(bad)} bytes", **refused, "signature": bad.hex()}
    for n in range(1, 8):
        small = times(n, EIGHTH)
        yield {"why": f"R with a part of small order, {n}", **made(key, a, add(nonce, small), r)}
        yield {"why": f"a key with a part of small order, {n}", **made(add(key, small), a, nonce, r)}
        for message in range(3):  # the components cancel out when k happens to be right
            both = made(add(key, small), a, add(nonce, times(8 - n, EIGHTH)), r, bytes([message]))
            yield {"why": f"both with parts of small order, {n}, message {message}", **both}
    ys = (0, 1, P - 1, P, P + 1, EIGHTH[1], P - EIGHTH[1])
    for y in ys:
        for sign in (0, 1):  # S·B = R whatever the message, for any k of a key of small order
            small_key = (y | sign << 255).to_bytes(32, "little")
            identity = encoded((0, 1)) + bytes(32)
            yield {
                "why": f"a key of small order, y {y % P:x}{' + p' if y >= P else ''}, sign {sign}",
                "key": small_key.hex(),
                "message": MESSAGE.hex(),
                "signature": identity.hex(),
                "holds": False,
            }
    no_point = next(y for y in range(2, 99) if not on_curve(y))
    yield {"why": "a key that is no point", **refused, "key": no_point.to_bytes(32, "little").hex()}
    yield {"why": "a key whose y is p + 4", **refused, "key": (P + 4).to_bytes(32, "little").hex()}
    # R = (0, 1) written with y = p + 1: equal as a point, not as bytes
    for r_bytes, fits in ((encoded((0, 1)), True), ((P + 1).to_bytes(32, "little"), False)):
        k = challenge(r_bytes, encoded(key), MESSAGE)
        signature = r_bytes + (k * a % L).to_bytes(32, "little")
        why = "R is the identity" if fits else "R is the identity, its y not below p"
        yield {"why": why, **refused, "signature": signature.hex(), "holds": fits}


def on_curve(y: int) -> bool:
    """Whether a point has this y."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    return pow(square, (P - 1) // 2, P) in (0, 1)


RFC_8032 = [  # 7.1: seed, key, message, signature
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
]

RFC_8439 = {  # 2.8.2
    "key": bytes(range(0x80, 0xA0)).hex(),
    "nonce": "070000004041424344454647",
    "also": "50515253c0c1c2c3c4c5c6c7",
    "content": b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the "
    b"future, sunscreen would be it.".hex(),
    "data": "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
    "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
    "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691",
}

RFC_5869 = [  # A.1 and A.3: secret, salt, info, output
    (
        "0b" * 22,
        "000102030405060708090a0b0c",
        "f0f1f2f3f4f5f6f7f8f9",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    ),
    (
        "0b" * 22,
        "",
        "",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    ),
]


OPENSSH = {  # made by `ssh-keygen -t ed25519`; its seed is read from the output of `ssh-keygen -p -N ""`
    "passphrase": "correct horse",
    "seed": "3cde05054e0d3c6d9a6197038a54ad18e451b3edba3a85038f287c412782a30f",
    "text": "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABCBQNvWU7\n"
    "ptzANQ0ZIaqhtbAAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAIPA5Px6uomwPBKXS\n"
    "uAWnT9bIs0pxUFiBKI1R/n2qI7oLAAAAkIQSJkxf4tgAh8hTsyXy5seIJvL0T/K31IQkzg\n"
    "9BQmcJm3ksb/K2dosQN7DEleO+R4fJIIOi6Zf1mObh7rIAWMWqluvkXVfwcfz80QB4uSLE\n"
    "u4zJBfBduqw2Eu3AelmZxzYg+o3pukAI/oBpDKtTV4OgTwsrlNJnQmoKhiv+w2dgo8ovQM\n"
    "DgidzKwxy/gLDGtg==\n"
    "-----END OPENSSH PRIVATE KEY-----\n",
}


def vectors() -> dict[str, Any]:
    """All vectors, as in the file."""
    return {
        "signing": [dict(zip(("seed", "key", "message", "signature"), one, strict=True)) for one in RFC_8032],
        "verifying": list(signatures()),
        "boxes": [RFC_8439],
        "derived": [dict(zip(("secret", "salt", "info", "derived"), one, strict=True)) for one in RFC_5869],
        "key_files": [OPENSSH],
    }


def disagreements(found: dict[str, Any]) -> Iterator[str]:
    """Where `pbem.format.primitives`, with its backend here, disagrees with the vectors."""
    read = bytes.fromhex
    for one in found["signing"]:
        seed, message = read(one["seed"]), read(one["message"])
        if primitives.public_key(seed).hex() != one["key"]:
            yield f"the key of {one['seed']}"
        if primitives.sign(seed, message).hex() != one["signature"]:
            yield f"the signature by {one['seed']}"
    for one in found["verifying"]:
        holds = primitives.verify(read(one["key"]), read(one["message"]), read(one["signature"]))
        if holds is not one["holds"]:
            yield f"{one['why']}: {holds}"
    for one in found["boxes"]:
        key, nonce, also, data = (read(one[name]) for name in ("key", "nonce", "also", "data"))
        if primitives.encrypt(key, nonce, read(one["content"]), also).hex() != one["data"]:
            yield "a box that is closed"
        if primitives.decrypt(key, nonce, data, also).hex() != one["content"]:
            yield "a box that is opened"
        altered = bytes([data[0] ^ 1]) + data[1:]
        for other in (
            (key, nonce, altered, also),
            (key, nonce, data, also + b"\0"),
            (bytes(32), nonce, data, also),
            (key, bytes(12), data, also),
            (key, nonce[:11], data, also),
            (key, nonce, data[:15], also),
            (key, nonce, b"", also),
        ):
            if not refuses(*other):
                yield f"a box that must not open: {other}"
    for one in found["derived"]:
        length = len(one["derived"]) // 2
        if (
            primitives.hkdf(read(one["secret"]), read(one["salt"]), read(one["info"]), length).hex()
            != one["derived"]
        ):
            yield f"what is derived with the salt {one['salt']!r}"

    for one in found["key_files"]:
        seed, text, word = read(one["seed"]), one["text"].encode(), one["passphrase"]
        if primitives.unlock_key(text, word) != seed:
            yield "a key file of ssh-keygen"
        own = primitives.protect_key(seed, word)
        if primitives.unlock_key(own, word) != seed:
            yield "a key file of its own"
        for file in (text, own):
            for passphrase, error in ((None, TypeError), (word + " ", ValueError)):
                try:
                    primitives.unlock_key(file, passphrase)
                except error:
                    continue
                yield f"a key file that opens with {passphrase!r}"


def refuses(key: bytes, nonce: bytes, data: bytes, also: bytes) -> bool:
    """Whether a box does not open."""
    try:
        primitives.decrypt(key, nonce, data, also)
    except ValueError:
        return True
    return False


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1) + "\n", "utf-8")
