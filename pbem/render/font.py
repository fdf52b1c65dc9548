"""Letters, figures and signs of three by five pixels, for the smallest of pictures.

A glyph is five octal figures, a row of pixels each: 4 is the left one, 2 the middle one, 1 the right one.
"""

from __future__ import annotations

COLUMNS = 3
"""Pixels of a character's width."""

_GLYPHS = {
    " ": "00000", "!": "22202", '"': "55000", "#": "57575", "$": "36236", "%": "51245", "&": "25256",
    "'": "22000", "(": "12221", ")": "42224", "*": "05250", "+": "02720", ",": "00024", "-": "00700",
    ".": "00002", "/": "11244", "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711",
    "5": "74717", "6": "74757", "7": "71111", "8": "75757", "9": "75717", ":": "02020", ";": "02024",
    "<": "12421", "=": "07070", ">": "42124", "?": "71202", "@": "25743", "A": "25755", "B": "65656",
    "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755", "I": "72227",
    "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "25552", "P": "65644",
    "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775",
    "X": "55255", "Y": "55222", "Z": "71247", "[": "64446", "\\": "44211", "]": "31113", "^": "25000",
    "_": "00007", "`": "42000", "{": "32623", "|": "22222", "}": "62326", "~": "03600",
}  # fmt: skip
_UNKNOWN = "77777"


def glyph(character: str) -> tuple[int, ...]:
    """The rows of a character, the highest first; a capital stands for the small letter as well."""
    return tuple(map(int, _GLYPHS.get(character.upper(), _UNKNOWN)))
