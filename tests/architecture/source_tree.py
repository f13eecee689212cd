"""The project's own files, as the architecture tests read them."""

from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]

SOURCE_ROOTS = (
    *(ROOT / name for name in ("contracts", "runtime", "toolkit", "examples")),
    *sorted((ROOT / "services").iterdir()),
)

_NOT_OURS = {".git", ".venv", ".aml", "node_modules", "__pycache__", "build", "dist"}
_TEXT = {
    ".py",
    ".toml",
    ".md",
    ".yaml",
    ".yml",
    ".html",
    ".css",
    ".js",
    ".json",
    ".txt",
    ".lock",
    ".sh",
    ".sql",
    ".csv",
}
_TEXT_NAMES = {"Dockerfile", "Makefile", ".dockerignore", ".gitignore", "run"}


@cache
def source_files() -> tuple[Path, ...]:
    """Every Python file that is installed."""
    return tuple(sorted(path for root in SOURCE_ROOTS for path in (root / "aml").rglob("*.py")))


@cache
def text_files() -> tuple[Path, ...]:
    """Every text file of the project, caches and installed packages left out."""
    found = []
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if _NOT_OURS.intersection(parts) or any(part.endswith("_cache") or part == ".hypothesis" for part in parts):
            continue
        if path.is_file() and (path.suffix in _TEXT or path.name in _TEXT_NAMES):
            found.append(path)
    return tuple(sorted(found))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
