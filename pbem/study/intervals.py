"""The uncertainty of a share."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""The normal quantile of an interval of 95 percent."""


def wilson_interval(times: int, of: int) -> tuple[float, float]:
    """The Wilson interval of a share of `times` out of `of`, with 95 % confidence, within 0 to 1.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927). Without any
    observation it is the whole span.
    """
    if not of:
        return 0.0, 1.0
    share, spread = times / of, Z95 * Z95 / of
    middle = share + spread / 2
    half = Z95 * sqrt(share * (1 - share) / of + spread / (4 * of))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    return (0.0 if times == 0 else low), (1.0 if times == of else high)
