"""A system's badge for a README: who measured, the score, the rank and the release, in one line of SVG.

An image of its own, on any background, light or dark: so its colours are fixed, and each text has 4.5 to 1 or better.
"""

from markupsafe import escape

_HEIGHT = 20
_CHARACTER = 6.6
_WIDE = 11.5
"""Of a character beyond Latin and its like."""
_PADDING = 8


def score_badge(name: str, parts: tuple[str, ...]) -> bytes:
    """`name` on the left, `parts` on the right; both are plain text. A whole SVG document."""
    text = " · ".join(parts)
    left, right = (_width(each) + 2 * _PADDING for each in (name, text))
    label = escape(f"{name}: {text}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img" '
        f'aria-label="{label}"><title>{label}</title>'
        f'<rect width="{left + right}" height="{_HEIGHT}" rx="4" fill="#0f6b5c"/>'
        f'<path fill="#24292b" d="M4 0H{left}V{_HEIGHT}H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z"/>'
        f'<path fill="none" stroke="#8b9094" d="M4 .5H{left + right - 4}a3.5 3.5 0 0 1 3.5 3.5V16a3.5 3.5 0 0 1-3.5 3.5H4'
        f'A3.5 3.5 0 0 1 .5 16V4A3.5 3.5 0 0 1 4 .5z"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Noto Sans,sans-serif" font-size="11">'
        f'<text x="{_PADDING}" y="14" textLength="{left - 2 * _PADDING}" lengthAdjust="spacingAndGlyphs">{escape(name)}</text>'
        f'<text x="{left + _PADDING}" y="14" textLength="{right - 2 * _PADDING}" lengthAdjust="spacingAndGlyphs">'
        f"{escape(text)}</text></g></svg>\n"
    ).encode()


def _width(text: str) -> int:
    return round(sum(_CHARACTER if ord(each) < 0x1100 else _WIDE for each in text))
