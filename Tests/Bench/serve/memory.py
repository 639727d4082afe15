"""The memory that a service and its decoders may have: a limit of the kernel where systemd runs, else a bound that is measured.

No limit of a process stands for it (setrlimit): RLIMIT_AS and RLIMIT_DATA count addresses, stacks of idle threads and what
a decoder reserves, and none of them counts the decoders with the service.
"""
import contextlib
import os
import shutil
from pathlib import Path


def command_within(megabytes):
    """What precedes the command of a service: a scope of systemd with MemoryMax=, as the unit has it. Empty without one."""
    if not os.path.isdir("/run/systemd/system") or not shutil.which("systemd-run"):
        return []
    user = [] if os.geteuid() == 0 else ["--user"]
    return ["systemd-run", *user, "--scope", "--quiet", "--collect", "-p", f"MemoryMax={megabytes}M", "-p", "MemorySwapMax=0", "--"]


def processes(parent):
    """A process and all below it."""
    found, children = [], {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError, ValueError):
            above = int(Path("/proc", name, "stat").read_text().rsplit(")", 1)[1].split()[1])
            children.setdefault(above, []).append(int(name))
    waiting = [parent]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def megabytes(pids):
    """In memory of all these processes together, shared pages counted once."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, StopIteration):
            lines = Path("/proc", str(pid), "smaps_rollup").read_text().splitlines()
            total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def peak(pid):
    """The most that the process alone ever had, MB: VmHWM."""
    lines = Path("/proc", str(pid), "status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def threads(pid):
    return len(os.listdir(f"/proc/{pid}/task"))
