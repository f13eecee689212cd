"""`python -m aml.examples.broken --fault NAME --port 9009`; `--list` says which there are."""

from pathlib import Path

from aml.examples.serve import command_line, serve_application

from .faults import FAULTS


def main() -> None:
    parser = command_line("A participant with one fault.")
    parser.add_argument("--fault", choices=FAULTS, default="none", metavar="NAME")
    parser.add_argument("--data", type=Path, help="journal file, so that it survives a restart")
    parser.add_argument("--list", action="store_true", help="name the faults and leave")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{name}: {(fault.__doc__ or '').strip()}" for name, fault in FAULTS.items()))
        return
    server = FAULTS[options.fault](token=options.token, journal=options.data)
    serve_application(server.application(), options)


if __name__ == "__main__":
    main()
