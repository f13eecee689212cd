"""`python fake_stack.py HOME`: a real supervisor in the background over one or two fake services.

`HOME/broken` makes one of them fail at its start.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[4]))

from tests.unit.toolkit.local.fakes import a_service

from aml.toolkit.local.assembly import Assembly
from aml.toolkit.local.background import supervise_in_background
from aml.toolkit.local.home import make_home
from aml.toolkit.local.ports import claim_ports
from aml.toolkit.local.process_plan import Prepare
from aml.toolkit.local.state import Addresses

layout = make_home(Path(sys.argv[1]))


def assemble() -> Assembly:
    ports = claim_ports(("ledger", "gateway"), layout.ports_file, random.Random())
    stage: dict[str, Prepare] = {name: a_service(layout.home, name, port) for name, port in ports.items()}
    if (layout.home / "broken").exists():
        stage["ledger"] = a_service(
            layout.home, "ledger", ports["ledger"], script="import sys; sys.exit('error: no key')"
        )
    return Assembly(
        stages=(stage,),
        ports=ports,
        addresses=Addresses(
            nats_url="nats://n", nats_token_file=None, database_url="postgresql://d", database_password_file=None
        ),
        portal=f"http://127.0.0.1:{ports['gateway']}",
    )


sys.exit(supervise_in_background(layout, assemble, {}))
