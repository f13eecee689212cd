"""A memory system that remembers nothing: the floor. `python -m aml.examples.nothing --port 9003`."""

from aml.examples.serve import Add, Found, Search, command_line, serve


class NoMemory:
    def add(self, request: Add) -> None:
        """Says that it remembers, which is the point."""

    def search(self, request: Search) -> list[Found]:  # noqa: ARG002 - the shape of a memory system
        return []

    def close(self) -> None: ...


def main() -> None:
    serve(NoMemory(), command_line("Remembers nothing.").parse_args())


if __name__ == "__main__":
    main()
