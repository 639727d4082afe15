"""What the work queue costs, and what a second worker gains. Times are no test: a missed target is reported, and fails nothing."""
import ctypes
import os
import resource
import signal
import statistics
import subprocess
import time
from pathlib import Path

from processes import WORK, until

PR_SET_CHILD_SUBREAPER = 36
GAIN, COST, TIME = "two workers over one", "processor time of the queue over drawing, %", "time of the queue over drawing, %"
LOADS, LOADS_COST = "two loads of one book over one", "processor time with two loads over with one"
# Of the issue: name, target, whether a value meets it.
TARGETS = [(GAIN, "at least 1.8", lambda value: value >= 1.8), (LOADS, "at least 1.8", lambda value: value >= 1.8), (COST, "under 5", lambda value: value < 5)]


class Run:
    """What one measured run took: time, processor time of Tondo's programs and of Redis, commands that Redis ran."""

    def __init__(self, redis):
        self.redis = redis
        for one in redis:
            one("CONFIG", "RESETSTAT")
        self.start, self.tondo, self.server = time.monotonic(), processor(), sum(map(redis_processor, redis))

    def stop_clock(self):
        self.seconds = time.monotonic() - self.start

    def end(self):
        """Call it when the programs have ended."""
        until(no_orphans, "the processes that the programs started have ended", 20)
        self.tondo, self.server = processor() - self.tondo, sum(map(redis_processor, self.redis)) - self.server
        self.commands = [commands(one) for one in self.redis]

    @property
    def work(self):
        """Processor time of all programs."""
        return self.tondo + self.server

    def text(self, count):
        cores = self.work / self.seconds
        return (f"{self.seconds:.2f} s, {cores:.2f} cores busy, {1_000 * self.tondo / count:.2f} + {1_000 * self.server / count:.2f} ms of processor "
                f"time a contact (Tondo + Redis), {' + '.join(f'{each / count:.2f}' for each in self.commands)} commands a "
                "contact (avatars + streams)")


def adopt_orphans():
    """`tondo load` does not wait for the processes that decode its photos: this process does, so that their time is counted."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def no_orphans():
    """Waits for each process that has ended. False: some have not, besides Redis."""
    children = [int(child) for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()]
    orphans = [child for child in children if "redis-server" not in Path(f"/proc/{child}/comm").read_text()]
    return all([os.waitpid(orphan, os.WNOHANG)[0] for orphan in orphans])


def processor():
    """Of all programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def redis_processor(redis):
    values = information(redis, "cpu")
    return float(values["used_cpu_user"]) + float(values["used_cpu_sys"])


def commands(redis):
    """Without those of this script."""
    calls = {name: int(value.split(",")[0].split("=")[1]) for name, value in information(redis, "commandstats").items()}
    return sum(count for name, count in calls.items() if name not in ("cmdstat_xlen", "cmdstat_info", "cmdstat_config|resetstat"))


def information(redis, section):
    lines = redis("INFO", section).decode().splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def rates(cluster, book, options):
    """Prints each run. Returns the lines of the summary: medians of what the runs of one round differ by, since other load on the
    machine changes slowly, and is the same for the runs of a round."""
    adopt_orphans()
    rounds = []
    for number in range(options.rounds):
        runs = measure(cluster, book, options.slots, options.pinned, number)
        for name, run in runs.items():
            print(f"rates: {len(book.names)} contacts with 2 avatars each, {name}: {run.text(len(book.names))}", flush=True)
        one, two, direct, loads = runs["one"], runs["two"], runs["direct"], runs["two loads"]
        rounds.append({GAIN: one.seconds / two.seconds, COST: 100 * (one.work / direct.work - 1),
                       TIME: 100 * (one.seconds / direct.seconds - 1),
                       LOADS: direct.seconds / loads.seconds, LOADS_COST: loads.work / direct.work,
                       "processor time with two workers over with one": two.work / one.work})
        print("rates: " + "; ".join(f"{name} {value:.2f}" for name, value in rounds[-1].items()), flush=True)
    return summary(rounds, options)


def summary(rounds, options):
    cores = "a core for each program" if options.pinned else "no core of its own for any program"
    load = os.getloadavg()[2]
    lines = [f"rates: medians of {len(rounds)} rounds (least..most), {cores}, load of 15 minutes {load:.1f}:"]
    targets = {name: (target, is_met) for name, target, is_met in TARGETS}
    for name in rounds[0]:
        values = [each[name] for each in rounds]
        median = statistics.median(values)
        target, is_met = targets.get(name, (None, None))
        verdict = f"; target {target}: {'met' if is_met(median) else 'MISSED'}" if target else ""
        lines.append(f"rates: {name}: {median:.2f} ({min(values):.2f}..{max(values):.2f}){verdict}")
    return lines


def measure(cluster, book, slots, pinned, turn):
    """The book drawn without the queue, by one `tondo load` and by two at once, and through the queue with one worker and with two;
    each `turn` begins with another one. `slots`: photos that each program draws at once. `pinned`: each program has one core, so
    that one of them cannot use both."""
    runs = {}
    order = [("direct", direct, 1), ("two loads", direct, 2), ("one", queued, 1), ("two", queued, 2)]
    first = turn % len(order)
    for name, draw, programs in order[first:] + order[:first]:
        forget(cluster)
        runs[name] = draw(cluster, book, slots, pinned, programs)
        runs[name].end()
    return runs


def direct(cluster, book, slots, pinned, loads):
    environment = {name: value for name, value in cluster.environment.items() if name != "TONDO_SHARED_STREAMS"}
    words = list(map(str, cluster.styles()))
    run = Run((cluster.avatars, cluster.streams))
    programs = [subprocess.Popen([cluster.tondo, "load", book.folder, "--cache-dir", f"cache-direct-{number}", *words, "--jobs",
                                  str(slots), "--quiet"],
                                 env=environment, cwd=cluster.folder, stderr=subprocess.DEVNULL,
                                 preexec_fn=pinned and (lambda number=number: os.sched_setaffinity(0, {number})) or None)
                for number in range(loads)]
    if any([program.wait() for program in programs]):
        raise subprocess.CalledProcessError(1, "tondo load")
    run.stop_clock()
    return run


def queued(cluster, book, slots, pinned, workers):
    words = map(str, cluster.styles())
    subprocess.run([cluster.tondo, "load", book.folder, "--cache-dir", "cache-load", *words, "--enqueue", "--no-follow",
                    "--config", "/dev/null", "--quiet"], env=cluster.environment, cwd=cluster.folder, check=True,
                   stdout=subprocess.DEVNULL)
    run = Run((cluster.avatars, cluster.streams))
    for number in range(workers):
        cluster.worker(f"worker-{number}", book, "--jobs", slots, core=number if pinned else None)
    until(lambda: cluster.streams("XLEN", WORK) == 0, "the measured jobs are drawn", 600, 0.02)
    run.stop_clock()
    for number in range(workers):
        cluster.kill(f"worker-{number}", signal.SIGTERM)
    return run


def forget(cluster):
    for server in (cluster.avatars, cluster.streams):
        server("FLUSHALL")
    for folder in cluster.folder.glob("cache-*"):
        subprocess.run(["rm", "-rf", folder], check=True)
