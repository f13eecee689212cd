"""CPU and memory of processes, from the operating system's own accounting."""

from dataclasses import dataclass

import psutil

SERVICES = ("gateway", "ingest", "retrieval", "judge", "ledger", "publisher")


@dataclass(frozen=True)
class Usage:
    """Seconds of CPU (user and system, children included) and bytes resident, by process name."""

    cpu: dict[str, float]
    rss: dict[str, int]

    def since(self, before: "Usage") -> "Usage":
        """CPU spent since `before`; memory as it is now."""
        spent = {name: seconds - before.cpu.get(name, 0.0) for name, seconds in self.cpu.items()}
        return Usage(cpu=spent, rss=self.rss)

    def platform_cpu(self) -> float:
        return sum(self.cpu.get(name, 0.0) for name in SERVICES)


def read_usage(pids: dict[str, int]) -> Usage:
    cpu: dict[str, float] = {}
    rss: dict[str, int] = {}
    for name, pid in pids.items():
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        times = [process.cpu_times() for process in family]
        cpu[name] = sum(each.user + each.system for each in times)
        rss[name] = sum(process.memory_info().rss for process in family)
    return Usage(cpu=cpu, rss=rss)
