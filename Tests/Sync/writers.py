#!/usr/bin/env python3
"""Looks for changes that get lost between several writers: Tondo, vdirsyncer with khard, and a script change one address book of
a real CardDAV server, in a random order, while answers get lost, the server fails and runs are killed."""
import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".build" / "sync-venv"
EPILOG = """\
At the end all synchronise without faults until they are quiet. Then server, mirror and vdirsyncer's folder are equal; Tondo
replaced no photo and deleted no contact that its user had not seen; and each of its changes had effect once, was followed by
another one, or is reported by the contact's name, with what it made in the trash of the mirror.

A seed stands for a list of operations, which is shrunk if it fails. --replay runs such a list again.

EXAMPLES
  writers.py --seeds 5                     a smoke run
  writers.py --seeds 1-1000                a long run
  writers.py --seed 42 --log               what seed 42 does
  writers.py --self-test                   faults that are planted are found

EXIT STATUS
  0  nothing is wrong        1  something is        2  wrong usage, or a program is missing
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--seeds", type=seeds_of, metavar="N|A-B", help="seeds 1 to N (10 unless given), or A to B")
    what.add_argument("--seed", type=int, metavar="N", help="one seed")
    what.add_argument("--replay", type=Path, nargs="+", metavar="FILE", help="lists of operations, JSON")
    what.add_argument("--self-test", action="store_true", help="whether planted faults are found")
    parser.add_argument("--tondo", type=Path, help="the program (.build/release/tondo, else .build/debug/tondo)")
    parser.add_argument("--server", choices=["radicale", "xandikos"], default="radicale")
    parser.add_argument("--length", type=int, default=24, metavar="N", help="operations of a seed (24)")
    parser.add_argument("--no-shrink", action="store_true", help="report failing seeds as they are")
    parser.add_argument("--log", action="store_true", help="print what happens, also where nothing is wrong")
    options = parser.parse_args()
    options.tondo = (options.tondo or default_program()).resolve()
    return options


def seeds_of(text: str) -> range:
    first, dash, last = text.partition("-")
    return range(int(first), int(last) + 1) if dash else range(1, int(first) + 1)


def default_program() -> Path:
    found = [ROOT / ".build" / kind / "tondo" for kind in ("release", "debug")]
    return next((path for path in found if path.exists()), found[0])


class Trials:
    """Runs lists of operations, each with an address book of its own."""

    def __init__(self, options, work: Path):
        from clients import Programs
        from proxy import Server
        self.options, self.work, self.count = options, work, 0
        self.programs = Programs(work)
        self.server = Server(options.server, work)

    def end(self) -> None:
        self.server.end()
        self.programs.end()

    def run(self, operations: list[dict], spoil=None) -> tuple[list[str], list[str]]:
        """What is wrong, and what happened. `spoil`: called with the trial before it is judged."""
        from judge import faults
        from trial import Trial
        self.count += 1
        work = self.work / f"trial{self.count}"
        work.mkdir()
        winner = next((operation["winner"] for operation in operations if "winner" in operation), "a")
        trial = Trial(self.options.tondo, self.programs, self.server, work, f"book{self.count}", winner)
        try:
            for operation in operations:
                trial.proxy.log.append(f"> {json.dumps(operation)}")
                trial.carry_out(operation)
            trial.settle()
            if spoil:
                spoil(trial)
            return faults(trial), trial.proxy.log
        finally:
            trial.end()
            shutil.rmtree(work, ignore_errors=True)

    def shrink(self, operations: list[dict], kind: str, seconds: float = 120) -> list[dict]:
        """A shorter list that fails in the same way."""
        end, size = time.monotonic() + seconds, len(operations) // 2
        while size and time.monotonic() < end:
            start = 0
            while start < len(operations) and time.monotonic() < end:
                shorter = operations[:start] + operations[start + size:]
                if any(fault.startswith(kind) for fault in self.run(shorter)[0]):
                    operations = shorter
                else:
                    start += size
            size //= 2
        return operations

    def report(self, name: str, operations: list[dict]) -> bool:
        """Whether all is well."""
        start = time.monotonic()
        found, log = self.run(operations)
        print(f"{name}: {'FAILED' if found else 'passed'}, {len(operations)} operations, {time.monotonic() - start:.1f} s",
              flush=True)
        for fault in found:
            print(f"  {fault}")
        if found and not self.options.no_shrink:
            operations = self.shrink(operations, found[0].partition(":")[0] + ":")
            found, log = self.run(operations)
            print("\n".join(["shrunk to", json.dumps(operations), *(f"  {fault}" for fault in found)]))
        if found or self.options.log:
            print("\n".join(log), flush=True)
        return not found


def main() -> int:
    options = arguments()
    if Path(sys.prefix) != VENV:
        if not (VENV / "bin" / "python").exists():
            print("writers.py: run Tests/Sync/environment first", file=sys.stderr)
            return 2
        os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), *sys.argv])
    if not os.access(options.tondo, os.X_OK):
        print(f"writers.py: no program at {options.tondo}: run make build first, or name one with --tondo", file=sys.stderr)
        return 2
    from trial import plan
    # So that the server ends, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as work:
        trials = Trials(options, Path(work))
        try:
            if options.self_test:
                from planted import check
                return check(trials)
            seeds = [options.seed] if options.seed is not None else options.seeds or range(1, 11)
            lists = [(path.stem, json.loads(path.read_text())) for path in options.replay or []]
            failed = total = 0
            for name, operations in lists or ((f"seed {seed}", plan(seed, options.length)) for seed in seeds):
                total += 1
                failed += not trials.report(name, operations)
        finally:
            trials.end()
    print(f"{total - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
