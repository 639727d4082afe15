#!/usr/bin/env python3
"""Looks for defects of tondo from outside: random writers on address books, kills, pauses, reloads, full disks, and after each
quiet moment everything the service says is held against a fresh load, a fresh service and the files themselves."""
import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import worker
from plan import PROFILES, plan
from shrink import Shrinker
from worker import Job, Result

# What docs/address-books.md says under Limits: pictures beside a book of one file are not watched.
LIMITS = ["avatar-event-beside", "avatar-served-beside", "gravatar-served-beside"]
ROOT = Path(__file__).resolve().parents[2]
EPILOG = """\
SEEDS AND SCRIPTS
  A seed stands for a list of operations. One that fails is shrunk to a short script, which is printed as JSON; store it in
  a file and run it again with --replay. A run depends on time: a script may need several runs (--repeat) to fail again.

PROFILES
{profiles}

VIOLATIONS
  Each has a stable kind. --ignore passes over known ones, so that a run goes on to others; --only looks for some alone.

EXAMPLES
  chaos.py --seeds 20                     a smoke run
  chaos.py --seeds 1-1000 --jobs 4        a long run (make chaos SEEDS=1000)
  chaos.py --seed 42 --no-shrink          what seed 42 does
  chaos.py --seeds 100 --profile links    one kind of trouble only
  chaos.py --replay Tests/Chaos/scripts/*.json

EXIT STATUS
  0  nothing is wrong        1  something is        2  wrong usage, or no program
"""


@dataclass
class Script:
    """Operations with a name. `kinds`: what they violate on faulty code. `repeat`: how often to run them."""
    name: str
    operations: list[dict]
    kinds: list[str] = field(default_factory=list)
    repeat: int = 1
    about: str = ""

    @classmethod
    def read(cls, path: Path) -> "Script":
        value = json.loads(path.read_text())
        if isinstance(value, list):
            return cls(path.stem, value)
        return cls(path.stem, value["operations"], value.get("kinds", []), value.get("repeat", 1), value.get("about", ""))


def text_of(script: Script) -> str:
    """The script as a file, an operation a line."""
    lines = ",\n".join("  " + json.dumps(operation) for operation in script.operations)
    head = json.dumps({"about": script.about, "kinds": script.kinds, "repeat": script.repeat})[:-1]
    return f'{head}, "operations": [\n{lines}\n]}}\n'


@dataclass
class Report:
    """Prints what became of each run, and counts."""
    as_json: bool
    failed: int = 0
    passed: int = 0
    skipped: int = 0

    def add(self, name: str, result: Result, script: Script | None = None, **more) -> None:
        if result.reason:
            self.skipped += 1
        elif result.violations:
            self.failed += 1
        else:
            self.passed += 1
        if self.as_json:
            value = {"name": name, "kinds": result.kinds, "violations": result.violations, "done": result.done,
                     "skipped": result.skipped, "checks": result.checks, "seconds": result.seconds,
                     "reason": result.reason} | more
            print(json.dumps(value | ({"script": script.operations} if script else {})), flush=True)
            return
        verdict = f"skipped: {result.reason}" if result.reason else "FAILED" if result.violations else "passed"
        print(f"{name}: {verdict}, {result.done} operations ({result.skipped} skipped), {result.checks} checks, "
              f"{result.seconds:.1f} s", flush=True)
        for kind, text in result.violations[:6]:
            print(f"  {kind}: {text[-1500:] if kind == 'tester-error' else text[:600]}", flush=True)
        if script:
            print(text_of(script), flush=True)

    def end(self) -> int:
        if not self.as_json:
            print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 1 if self.failed else 0


def run_seed(seed: int, options, report: Report) -> None:
    profile, operations = plan(seed, options.profile)
    job = job_of(operations, options)
    result = worker.run(job)
    script = None
    if result.violations and not options.no_shrink and "tester-error" not in result.kinds:
        kind = result.kinds[0]
        shorter, again = Shrinker(job, kind, options.shrink_seconds).shrink(operations, result.at)
        about = f"seed {seed} of {profile}" + ("" if again else ", which did not fail again")
        script = Script(f"seed-{seed}", shorter, [kind], 3, about)
    report.add(f"seed {seed} {profile}", result, script, seed=seed, profile=profile)


def run_script(path: Path, options, report: Report) -> None:
    script = Script.read(path)
    result, job = Result(), job_of(script.operations, options)
    if options.own:
        job.only = [*script.kinds, "service-died", "service-hang"]
    for _ in range(options.repeat or script.repeat):
        result = worker.run(job)
        if result.violations:
            break
    report.add(script.name, result, expected=script.kinds)


def job_of(operations: list[dict], options) -> Job:
    ignored = options.ignore + ([] if options.limits else LIMITS)
    return Job(operations, str(options.tondo), options.patience, options.only, ignored)


def seeds_of(text: str) -> range:
    first, dash, last = text.partition("-")
    return range(int(first), int(last) + 1) if dash else range(1, int(first) + 1)


def default_program() -> Path:
    found = [ROOT / ".build" / kind / "tondo" for kind in ("release", "debug")]
    return next((path for path in found if path.exists()), found[0])


def arguments() -> argparse.Namespace:
    profiles = "\n".join(f"  {name:12}{what.__doc__}" for name, what in PROFILES.items())
    parser = argparse.ArgumentParser(description=__doc__, epilog=EPILOG.format(profiles=profiles),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--seeds", type=seeds_of, metavar="N|A-B", help="seeds 1 to N (20 unless given), or A to B")
    what.add_argument("--seed", type=int, metavar="N", help="one seed")
    what.add_argument("--replay", type=Path, nargs="+", metavar="FILE", help="scripts to run again")
    parser.add_argument("--tondo", type=Path, help="the program (.build/release/tondo, else .build/debug/tondo)")
    parser.add_argument("--profile", choices=PROFILES, help="one kind of trouble; without, by turns")
    parser.add_argument("--jobs", type=int, default=max(os.cpu_count() or 1, 1), help="runs at the same time (the cores)")
    parser.add_argument("--patience", type=float, default=5.0, metavar="SECONDS",
                        help="how long nothing may happen before a difference counts (5)")
    parser.add_argument("--only", type=lambda text: text.split(","), default=[], metavar="KIND,...",
                        help="kinds of violations that count")
    parser.add_argument("--ignore", type=lambda text: text.split(","), default=[], metavar="KIND,...",
                        help="kinds that do not")
    parser.add_argument("--limits", action="store_true", help="count documented limits, too: photos beside one-file books")
    parser.add_argument("--no-shrink", action="store_true", help="report failing seeds as they are")
    parser.add_argument("--shrink-seconds", type=float, default=120, metavar="SECONDS", help="time for each shrinking (120)")
    parser.add_argument("--own", action="store_true", help="of a script, count only the kinds it was stored for")
    parser.add_argument("--repeat", type=int, metavar="N", help="runs of each script, until one fails")
    parser.add_argument("--show", action="store_true", help="print the operations of the seeds and run nothing")
    parser.add_argument("--json", action="store_true", help="one JSON object a run")
    options = parser.parse_args()
    options.tondo = (options.tondo or default_program()).resolve()
    return options


def main() -> int:
    options = arguments()
    seeds = [options.seed] if options.seed is not None else options.seeds or range(1, 21)
    if options.show:
        for seed in seeds:
            profile, operations = plan(seed, options.profile)
            print(text_of(Script(f"seed-{seed}", operations, about=f"seed {seed} of {profile}")), end="")
        return 0
    if not os.access(options.tondo, os.X_OK):
        print(f"chaos.py: no program at {options.tondo}: run make build first, or name one with --tondo", file=sys.stderr)
        return 2
    report = Report(options.json)
    work, items = (run_script, options.replay) if options.replay else (run_seed, seeds)
    with ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        for future in [pool.submit(work, item, options, report) for item in items]:
            future.result()
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
