"""How positions are written: one decimal, none where it is 0, so that the same picture has the same bytes."""


def position(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
