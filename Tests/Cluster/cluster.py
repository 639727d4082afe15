#!/usr/bin/env python3
"""Runs Tondo on several processes of this machine: two Redis, three services behind a proxy, two workers. Loads a generated book
through the work queue while workers are killed, then changes the book while instances are killed and a client watches the
events. Prints figures, and fails if an avatar is missing, was drawn more than twice, or an event was missed or came twice.

usage: cluster.py [--tondo PROGRAM] [--contacts 100000] [--seconds 60] [--kills-every 2] [--measured 2000]
                  [--rounds 1] [--slots 1] [--pinned] [--proxy nginx|haproxy] [--seed 1]
"""
import argparse
import collections
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import subscriber
from book import Book
from resp import Redis

ROOT = Path(__file__).resolve().parents[2]
PORTS = {"7380": 17380, "7381": 17381, "7382": 17382, "7383": 17383}
# The styles that a service prepares without a configuration.
STYLES = ["--size", "96", "--scale", "1,2", "--ring-width", "4", "--ring-gap", "3"]
WORK = "tondo:1:{jobs}:work"


class Failed(Exception):
    pass


class Cluster:
    def __init__(self, tondo, folder):
        self.tondo, self.folder, self.running = tondo, Path(folder), {}
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": str(self.folder / "config"),
            "TONDO_SHARED_AVATARS": f"unix:{self.folder}/avatars.sock",
            "TONDO_SHARED_STREAMS": f"unix:{self.folder}/streams.sock",
        }

    def start(self, name, *words, output=None, environment=None, core=None):
        """Starts a program under a name; its messages go to a file, and so does its output unless it is taken."""
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=output or log, stderr=log,
                                   env=environment or self.environment, cwd=self.folder,
                                   preexec_fn=core is not None and (lambda: os.sched_setaffinity(0, {core})) or None)
        log.close()
        self.running[name] = process
        return process

    def redis(self, name, policy):
        socket = self.folder / f"{name}.sock"
        self.start(f"redis-{name}", "redis-server", "--port", 0, "--unixsocket", socket, "--save", "", "--appendonly", "no",
                   "--maxmemory", "8gb", "--maxmemory-policy", policy, "--dir", self.folder, "--loglevel", "warning")
        until(lambda: connects(socket), "Redis listens")
        return Redis(socket, timeout=60)

    def worker(self, name, book, *words, core=None):
        return self.start(name, self.tondo, "worker", book.folder, "--config", "/dev/null", "--cache-dir", f"cache-{name}",
                          "--claim-after", 3, "--name", f"{name}-{time.monotonic_ns()}", *(words or ("--jobs", 1)),
                          core=core)

    def service(self, number, book):
        port = PORTS[f"738{number}"]
        return self.start(f"service-{number}", self.tondo, "serve", book.folder, "--config", "/dev/null", "--jobs", 1,
                          "--cache-dir", f"cache-service-{number}", "--listen", f"127.0.0.1:{port}",
                          # What comes through a proxy needs the token otherwise.
                          "--public", "contacts", "--public", "events")

    def proxy(self, name):
        return self.nginx() if name == "nginx" else self.haproxy()

    def haproxy(self):
        text = (ROOT / "assets/proxy/haproxy.cfg").read_text()
        for port, other in PORTS.items():
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{other}")
        (self.folder / "haproxy.cfg").write_text(text)
        return self.start("haproxy", "haproxy", "-db", "-f", self.folder / "haproxy.cfg")

    def nginx(self):
        text = (ROOT / "assets/proxy/nginx.conf").read_text()
        for port, other in PORTS.items():
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{other}")
        (self.folder / "tondo.conf").write_text(text)
        folders = " ".join(f"{kind}_temp_path {self.folder}/nginx-{kind};"
                           for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {self.folder}/nginx.pid; error_log stderr error;\n"
            f"events {{}}\nhttp {{ access_log off; {folders} include {self.folder}/tondo.conf; }}\n")
        return self.start("nginx", "nginx", "-c", self.folder / "nginx.conf", "-p", self.folder)

    def kill(self, name, number=signal.SIGKILL):
        process = self.running.pop(name, None)
        if process and process.poll() is None:
            process.send_signal(number)
            process.wait(timeout=60)

    def stop(self):
        for name in list(self.running):
            self.kill(name)


def connects(path):
    try:
        Redis(path, timeout=1)("PING")
        return True
    except OSError:
        return False


def until(condition, what, seconds=180.0, pause=0.02):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failed(f"in {seconds:.0f} s it did not happen that {what}")
        time.sleep(pause)


class Stores(threading.Thread):
    """Counts how often each avatar is stored in the shared tier: once for each drawing."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.counts, self.redis = collections.Counter(), Redis(path, timeout=3_600)
        self.redis("CONFIG", "SET", "notify-keyspace-events", "K$")
        self.redis("PSUBSCRIBE", "__keyspace@0__:tondo:1:avatar:*")

    def run(self):
        try:
            while True:
                _, _, channel, event = self.redis.read()
                if event == b"set":
                    self.counts[channel] += 1
        except (OSError, ValueError):
            pass


def ended_jobs(streams):
    """How many jobs have left the stream since Redis started."""
    try:
        info = streams("XINFO", "STREAM", WORK)
    except RuntimeError:
        return 0
    values = dict(zip(info[::2], info[1::2]))
    return values[b"entries-added"] - values[b"length"]


def check(problems, condition, text):
    if not condition:
        problems.append(text)


def load(cluster, book, *words):
    """`tondo load`; returns its summary and the ids with avatars."""
    output = subprocess.run([cluster.tondo, "load", book.folder, "--cache-dir", "cache-load", *STYLES, "--json", *words],
                            env=cluster.environment, cwd=cluster.folder, capture_output=True, text=True)
    if output.returncode != 0:
        raise Failed(f"tondo load {' '.join(words)} ended with {output.returncode}: {output.stderr[-2_000:]}")
    events = [json.loads(line) for line in output.stdout.splitlines()]
    drawn = collections.Counter(event["contact"] for event in events if event["event"] == "avatar")
    return events[-1], drawn


def forget(cluster, *redis):
    for one in redis:
        one("FLUSHALL")
    for folder in cluster.folder.glob("cache-*"):
        subprocess.run(["rm", "-rf", folder], check=True)


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


def rates(cluster, book, avatars, streams, options):
    """Prints each run, and the medians of what the runs of one round differ by: other load on the machine changes slowly, and is the
    same for the runs of a round."""
    count, rounds = options.measured, []
    for number in range(options.rounds):
        runs = measure(cluster, book, avatars, streams, options.slots, options.pinned, number)
        for name, run in runs.items():
            print(f"rates: {count} contacts with 2 avatars each, {name}: {run.text(count)}", flush=True)
        one, two, direct = runs["one"], runs["two"], runs["direct"]
        rounds.append({"two over one": one.seconds / two.seconds,
                       "queue over direct, % of time": 100 * (one.seconds / direct.seconds - 1),
                       "queue over direct, % of processor time": 100 * (one.work / direct.work - 1),
                       "processor time with two over with one": two.work / one.work})
        print("rates: " + "; ".join(f"{name} {value:.2f}" for name, value in rounds[-1].items()), flush=True)
    if len(rounds) > 1:
        load = os.getloadavg()[2]
        for name in rounds[0]:
            values = [each[name] for each in rounds]
            print(f"rates: median of {len(rounds)} rounds (load of 15 minutes {load:.1f}): {name} {statistics.median(values):.2f} "
                  f"({min(values):.2f}..{max(values):.2f})", flush=True)


def measure(cluster, book, avatars, streams, slots, pinned, turn):
    """The book drawn without the queue, and through the queue with one worker and with two; each `turn` begins with another one.
    `slots`: photos that each program draws at once. `pinned`: each program has one core, so that one of them cannot use both."""
    runs, order = {}, [("direct", 0), ("one", 1), ("two", 2)]
    direct = dict(cluster.environment)
    direct.pop("TONDO_SHARED_STREAMS")
    for name, workers in order[turn % 3:] + order[:turn % 3]:
        forget(cluster, avatars, streams)
        if workers == 0:
            run = Run((avatars, streams))
            subprocess.run([cluster.tondo, "load", book.folder, "--cache-dir", "cache-direct", *STYLES, "--jobs", str(slots),
                            "--quiet"], env=direct, cwd=cluster.folder, check=True, stderr=subprocess.DEVNULL,
                           preexec_fn=pinned and (lambda: os.sched_setaffinity(0, {0})) or None)
            run.stop_clock()
        else:
            subprocess.run([cluster.tondo, "load", book.folder, "--cache-dir", "cache-load", *STYLES, "--enqueue", "--no-follow",
                            "--config", "/dev/null", "--quiet"], env=cluster.environment, cwd=cluster.folder, check=True,
                           stdout=subprocess.DEVNULL)
            run = Run((avatars, streams))
            for number in range(workers):
                cluster.worker(f"worker-{number}", book, "--jobs", slots, core=number if pinned else None)
            until(lambda: streams("XLEN", WORK) == 0, "the measured jobs are drawn", 600, 0.02)
            run.stop_clock()
            for number in range(workers):
                cluster.kill(f"worker-{number}", signal.SIGTERM)
        run.end()
        runs[name] = run
    return runs


def held(avatars):
    """How many avatars the shared tier has now."""
    cursor, keys = b"0", set()
    while True:
        cursor, page = avatars("SCAN", cursor, "MATCH", "tondo:1:avatar:*", "COUNT", 1000)
        keys.update(page)
        if cursor == b"0":
            return len(keys)


def queue(cluster, book, options, streams, chance, problems):
    """The whole book through the queue while workers are killed."""
    stores = Stores(cluster.folder / "avatars.sock")
    stores.start()
    for number in range(2):
        cluster.worker(f"worker-{number}", book)
    ended, kills = threading.Event(), 0

    def publish():
        try:
            queue.result = load(cluster, book, "--enqueue", "--follow", "--config", "/dev/null")
        except Failed as error:
            queue.result = error
        ended.set()

    start = time.monotonic()
    threading.Thread(target=publish, daemon=True).start()
    while not ended.is_set():
        # Work goes on between two kills: a job that three workers were killed with is buried as the cause.
        entries, least = ended_jobs(streams), chance.randrange(30, 90)
        ended.wait(chance.uniform(0.5, 1.5) * options.kills_every)
        while not ended.wait(0.05) and ended_jobs(streams) - entries < least:
            pass
        if ended.is_set():
            break
        name = f"worker-{chance.randrange(2)}"
        cluster.kill(name)
        kills += 1
        cluster.worker(name, book)
    seconds = time.monotonic() - start
    if isinstance(queue.result, Failed):
        raise queue.result
    finished, drawn = queue.result
    count = len(book.names)
    until(lambda: streams("XLEN", WORK) == 0, "the stream is empty")
    time.sleep(0.2)
    check(problems, len(drawn) == count and set(drawn.values()) == {2},
          f"{count - sum(1 for each in drawn.values() if each == 2)} of {count} contacts lack avatars")
    check(problems, len(stores.counts) == 2 * count, f"{len(stores.counts)} of {2 * count} avatars were stored")
    present = held(Redis(cluster.folder / "avatars.sock", timeout=60))
    check(problems, present == 2 * count, f"{present} of {2 * count} avatars are in the shared tier")
    check(problems, not stores.counts or max(stores.counts.values()) <= 2, "an avatar was drawn more than twice")
    check(problems, streams("XLEN", "tondo:1:{jobs}:dead") == 0, "there are dead jobs")
    for number in range(2):
        cluster.kill(f"worker-{number}", signal.SIGTERM)
    print(f"queue: {count} contacts in {seconds:.1f} s, {2 * count / seconds:.0f} avatars/s; {kills} workers killed; "
          f"{sum(stores.counts.values())} drawings of {len(stores.counts)} distinct avatars; reported drawn "
          f"{finished['rendered']}, cached {finished['cached']}")
    return stores


def services(cluster, book, options, chance, stores, problems):
    """Three services behind nginx whose book changes while they are killed, and a client of the events."""
    before = sum(stores.counts.values())
    for number in (1, 2, 3):
        cluster.service(number, book)
    cluster.proxy(options.proxy)
    for number in (1, 2, 3):
        until(lambda: ready(number), f"service {number} has loaded", 600, 0.2)
    drawn = sum(stores.counts.values()) - before
    hits = [shared(number)["hits"] for number in (1, 2, 3)]
    print(f"services: {sum(hits)} shared hits, {drawn} drawings; total drawings {sum(stores.counts.values())} = "
          f"{len(stores.counts)} distinct avatars" + ("" if drawn == 0 else f" + {drawn}"))
    client = subscriber.Subscriber(PORTS["7380"])
    client.start()
    until(client.ready.is_set, "the client has the list")
    end, kills, changes, next_kill = time.monotonic() + options.seconds, 0, 0, time.monotonic() + 2
    waiting = None
    while time.monotonic() < end:
        book.change(chance)
        changes += 1
        time.sleep(chance.uniform(0.02, 0.2))
        if waiting and time.monotonic() > waiting[1]:
            cluster.service(waiting[0], book)
            waiting, next_kill = None, time.monotonic() + chance.uniform(1, 3) * options.kills_every
        elif not waiting and time.monotonic() > next_kill:
            number = chance.choice((1, 2, 3))
            cluster.kill(f"service-{number}", chance.choice((signal.SIGKILL, signal.SIGTERM)))
            kills += 1
            waiting = (number, time.monotonic() + chance.uniform(0.2, 2))
    if waiting:
        cluster.service(waiting[0], book)
    truth = dict(book.names)

    def settled():
        with client.lock:
            return client.names == truth

    try:
        until(settled, "the client knows all changes", 120, 0.1)
    except Failed:
        with client.lock:
            wrong = [name for name in truth.keys() | client.names.keys() if truth.get(name) != client.names.get(name)]
        problems.append(f"the client has {len(wrong)} wrong contacts, such as {sorted(wrong)[:3]}")
    client.stop()
    problems += client.problems[:5]
    print(f"events: {client.events} events of {changes} changes, {client.connects} connections, {client.resets} resets, "
          f"{kills} instances killed")


def answer(number, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORTS[f'738{number}']}{path}", timeout=5) as response:
            return json.load(response)
    except (OSError, ValueError):
        return None


def ready(number):
    """Its avatars are loaded, too."""
    report = answer(number, "/readyz")
    return report is not None and all(book["loaded"] for book in report["books"])


def shared(number):
    report = answer(number, "/readyz") or {}
    return collections.defaultdict(int, (report.get("shared") or {}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tondo", default=".build/release/tondo")
    parser.add_argument("--contacts", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=60, help="of changes while instances are killed")
    parser.add_argument("--kills-every", type=float, default=2, help="seconds between kills, about")
    parser.add_argument("--measured", type=int, default=2_000, help="contacts for the rates; 0: none")
    parser.add_argument("--rounds", type=int, default=1, help="of the rates")
    parser.add_argument("--slots", type=int, default=1, help="photos that each measured program draws at once")
    parser.add_argument("--pinned", action="store_true", help="each measured worker runs on a core of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--photo", default="assets/samples/ada.jpg")
    parser.add_argument("--proxy", choices=("nginx", "haproxy"), default="nginx")
    parser.add_argument("--keep", action="store_true", help="keep the folder with its logs")
    options = parser.parse_args()
    for program in ("redis-server", options.proxy):
        if subprocess.run(["which", program], capture_output=True).returncode:
            sys.exit(f"cluster: {program} is not installed")
    options.tondo = Path(options.tondo).resolve()
    photo, chance, problems = ROOT / options.photo, random.Random(options.seed), []
    folder = tempfile.mkdtemp(prefix="tondo-cluster-")
    cluster = Cluster(options.tondo, folder)
    try:
        avatars, streams = cluster.redis("avatars", "allkeys-lru"), cluster.redis("streams", "noeviction")
        if options.measured:
            small = Book(cluster.folder / "small", options.measured, photo)
            rates(cluster, small, avatars, streams, options)
            forget(cluster, avatars, streams)
        if not options.contacts:
            return
        book = Book(cluster.folder / "book", options.contacts, photo)
        stores = queue(cluster, book, options, streams, chance, problems)
        sys.stdout.flush()
        services(cluster, book, options, chance, stores, problems)
    except Failed as error:
        problems.append(str(error))
    finally:
        cluster.stop()
        if problems or options.keep:
            print(f"the logs are in {folder}", file=sys.stderr)
        else:
            subprocess.run(["rm", "-rf", folder])
    for problem in problems:
        print(f"FAILED: {problem}")
    print("cluster: " + ("failed" if problems else "every avatar is there, no event was missed or came twice"))
    sys.exit(1 if problems else 0)


main()
