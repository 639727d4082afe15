"""Runs operation lists in processes of their own: another user than root, mounts of their own, nothing left behind."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import sandbox
from run import Run, unlock

# Seconds after which a run counts as hanging, and the size of the small disk.
LONGEST = 1500
DISK = "3m"


@dataclass
class Job:
    """One run: what to do, with which program, and which kinds of violations count."""
    operations: list[dict]
    tondo: str
    patience: float = 5.0
    only: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


@dataclass
class Result:
    """What came of it. `violations`: pairs of kind and text. `reason`: why it did not run."""
    violations: list[list[str]] = field(default_factory=list)
    done: int = 0
    skipped: int = 0
    checks: int = 0
    seconds: float = 0
    at: int | None = None
    reason: str | None = None

    @property
    def kinds(self) -> list[str]:
        return list(dict.fromkeys(kind for kind, _ in self.violations))


def run(job: Job) -> Result:
    """In a process of its own, which is ended with everything it started."""
    work = Path(tempfile.mkdtemp(prefix="tondo-chaos-"))
    child = subprocess.Popen([sys.executable, __file__, str(work)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        out, errors = child.communicate(json.dumps(asdict(job)), timeout=LONGEST)
        if child.returncode:
            return Result([["tester-error", errors[-1500:]]])
        return Result(**json.loads(out.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        return Result([["run-hang", f"the run did not end in {LONGEST} s"]])
    finally:
        # Only this run's processes are in its session.
        for _ in range(2):
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                break
        child.wait()
        unlock(work)
        shutil.rmtree(work, ignore_errors=True)


def _work(work: Path) -> Result:
    job = Job(**json.loads(sys.stdin.read()))
    needs_disk = any(str(value).startswith("disk/") for op in job.operations for value in op.values())
    tondo, disk, reason = Path(job.tondo), None, sandbox.own_mounts()
    if reason is None:
        disk = work / "disk"
        disk.mkdir()
        reason = sandbox.mount_disk(disk, DISK)
        # The program looks for those that decode photos, and for the one that synchronises, beside itself.
        for name in ("tondo-render", "tondo-render-heif", "tondo-sync"):
            sandbox.bind(tondo.with_name(name), work / name)
        tondo = sandbox.bind(tondo, work / "tondo") or tondo
    if reason and needs_disk:
        return Result(reason=reason)
    sandbox.die_with_parent()
    sandbox.become_unprivileged(work)
    outcome = Run(tondo, work / "run", None if reason else disk, job.patience, job.only, job.ignored) \
        .carry_out(job.operations)
    return Result([[one.kind, one.text] for one in outcome.violations], outcome.done, outcome.skipped, outcome.checks,
                  round(outcome.seconds, 2), outcome.at)


if __name__ == "__main__":
    result = _work(Path(sys.argv[1]))
    print(json.dumps(asdict(result)), flush=True)
    os._exit(0)
