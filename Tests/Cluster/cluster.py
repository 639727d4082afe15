#!/usr/bin/env python3
"""Runs Tondo on several processes of this machine: two Redis, three services behind a proxy, two workers, and clients that watch
the events and fetch avatars through the proxy all the time. Workers are killed and both Redis are paused, restarted and flushed
while a generated book goes through the work queue; then the services take the book from the shared tier; then the books change
while instances are killed and both Redis are disturbed again.

Fails if an avatar is missing, has other bytes than before, or was drawn more often than kills and lost data explain; if a job is
lost; or if an event was missed or came twice. Then prints the rates of the queue, which fail nothing.

usage: cluster.py [--tondo PROGRAM] [--contacts 100000] [--seconds 60] [--kills-every 2] [--measured 2000]
                  [--rounds 1] [--slots 1] [--pinned] [--proxy nginx|haproxy] [--photo FILE] [--size 96]
                  [--seed 1]
"""
import argparse
import collections
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from avatars import Avatars, Viewer, paths
from book import Book, Changer
from drawings import Drawings, held
from processes import DEAD, INSTANCES, PORTS, PROXY, ROOT, WORK, Cluster, Failed, answering, loaded, metrics, until
from rates import rates
from subscriber import Subscriber, contacts

# Contacts of the book that changes from the beginning.
LIVE = 30
# Loads in which workers are killed and both Redis are disturbed; about three are enough for the smallest book.
MOST_LOADS = 20
# Changes a second, about, see `Changer`.
CHANGES = 10
ENCODED = 'tondo_drawing_step_seconds_count{step="encode"}'
DISTURBANCES = [(server, what) for server in ("avatars", "streams") for what in ("pause", "restart", "flush")]


class Load(threading.Thread):
    """`tondo load --enqueue --follow`, and what it has reported until now. `known`: contacts of an earlier load, which are not among
    `done`."""

    def __init__(self, cluster, book, known):
        super().__init__(daemon=True)
        self.process = cluster.start("load", cluster.tondo, "load", book.folder, "--cache-dir", "cache-load", *cluster.styles(), "--json",
                                     "--enqueue", "--follow", "--config", "/dev/null", output=subprocess.PIPE)
        self.avatars, self.keys, self.problems, self.summary = collections.Counter(), set(), [], {}
        self.known, self.done, self.is_ended, self.changed = known, 0, False, threading.Condition()

    def run(self):
        for line in self.process.stdout:
            with self.changed:
                self.take(json.loads(line))
                self.changed.notify_all()
        self.process.wait()
        with self.changed:
            self.is_ended = True
            self.changed.notify_all()

    def take(self, event):
        if event["event"] == "avatar":
            self.avatars[event["contact"]] += 1
            self.keys.add(event["key"])
            self.done += self.avatars[event["contact"]] == 2 and event["contact"] not in self.known
        elif event["event"] in ("avatarFailed", "contactFailed"):
            self.problems.append(f"the load reports {event}")
        elif event["event"] == "finished":
            self.summary = event

    def wait(self, contacts=None):
        """Until so many contacts have their avatars, or the load has ended."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.is_ended or contacts is not None and self.done >= contacts, 3_600):
                raise Failed("the load did not end in an hour")


class Test:
    """One run. `problems`: what fails it."""

    def __init__(self, cluster, options, problems):
        self.cluster, self.options, self.problems = cluster, options, problems
        self.chance = random.Random(options.seed)
        self.drawings = Drawings(cluster.avatars)
        self.avatars = Avatars(PROXY)
        self.clients = [Subscriber(PROXY) for _ in INSTANCES]
        # The keys of each load.
        self.loads = []
        # What was done to the cluster, how often and when.
        self.done, self.log = collections.Counter(), []

    def do(self, what):
        self.done[what.split(":")[0]] += 1
        self.log.append(f"{time.time():.3f} {what}\n")

    def write_logs(self):
        (self.cluster.folder / "actions.log").write_text("".join(self.log))
        self.changer.write(self.cluster.folder / "changes.log")
        for number, client in enumerate(self.clients):
            client.write(self.cluster.folder / f"client-{number}.log")

    def check(self, condition, text):
        if not condition:
            self.problems.append(text)

    def run(self):
        self.begin()
        self.queue()
        self.quiet()
        self.events()
        self.finish()

    # Before the first phase

    def begin(self):
        """Services with a small book that changes, and clients of it."""
        cluster, options, photo = self.cluster, self.options, ROOT / self.options.photo
        self.drawings.start()
        cluster.avatars.start()
        cluster.streams.start()
        self.live = Book(cluster.folder / "live", LIVE, photo, lasting=LIVE // 3)
        self.book = Book(cluster.folder / "book", options.contacts, photo, lasting=min(LIVE, options.contacts // 3), number=2)
        cluster.serves(self.live)
        for number in INSTANCES:
            cluster.service(number)
        cluster.proxy(options.proxy)
        for number in INSTANCES:
            until(lambda: loaded(number, 1), f"service {number} has loaded")
        for client in self.clients:
            client.start()
        until(lambda: all(client.ready.is_set() for client in self.clients), "the clients have the list")
        self.viewer = Viewer(self.avatars, options.seed)
        self.viewer.add(self.live)
        self.viewer.start()
        self.changer = Changer([self.live], options.seed)
        self.changer.start()

    # The first phase

    def queue(self):
        """The whole book through the queue while workers are killed and both Redis are disturbed. How fast workers are is nothing
        to rely on: until all has been done, the book grows, and is loaded again."""
        cluster, book, start = self.cluster, self.book, time.monotonic()
        # The services have stored avatars of the small book.
        losses, kills, known, count = self.drawings.losses, max(4, len(book.names) // 500), set(), len(book.names)
        actions = ["kill"] * kills + DISTURBANCES * (1 + count // 20_000)
        planned = len(actions)
        for number in range(2):
            cluster.worker(f"worker-{number}", book)
        while True:
            load = self.load(actions, known)
            if not actions or len(self.loads) == MOST_LOADS:
                break
            known = set(book.names)
            # As many contacts for each of the rest as in the first load.
            for _ in range(max(min(count, 300), count * len(actions) // planned)):
                book.add()
        self.check(not actions, f"{len(self.loads)} loads had ended before {actions} could be done")
        self.check_queue(load, planned, self.drawings.losses - losses)
        self.report_queue(load, time.monotonic() - start, kills, self.drawings.losses - losses)
        for number in range(2):
            cluster.kill(f"worker-{number}", signal.SIGTERM)

    def load(self, actions, known):
        """One load of the book, and as many of the actions as it has time for, which are removed."""
        load = Load(self.cluster, self.book, known)
        load.start()
        for contacts, action in self.schedule(len(self.book.names) - len(known), actions):
            load.wait(contacts)
            if load.is_ended:
                break
            actions.remove(action)
            if action == "kill":
                self.kill_worker()
            else:
                self.disturb(*action)
        load.wait()
        self.cluster.running.pop("load")
        self.loads.append(load.keys)
        self.problems += load.problems[:5]
        self.check(load.process.returncode == 0, f"tondo load ended with {load.process.returncode}")
        return load

    def schedule(self, count, actions):
        """Actions in a random order, spread over the first three quarters of `count`: each has work before and after it. So a job is
        not with three killed workers in a row, which would make it dead."""
        actions = self.chance.sample(actions, len(actions))
        share = 0.75 * count / len(actions)
        return [(max(int((place + self.chance.uniform(0.3, 1)) * share), 1), action) for place, action in enumerate(actions)]

    def kill_worker(self):
        name = f"worker-{self.chance.randrange(2)}"
        self.cluster.kill(name)
        self.do(f"workers killed: {name}")
        self.cluster.worker(name, self.book)

    def disturb(self, server, what):
        redis = getattr(self.cluster, server)
        self.do(f"{what} of {server}")
        if what == "pause":
            redis.pause()
        elif what == "restart":
            # Of the streams nothing may be lost without a regular end. The other one has to send its last notifications.
            redis.restart(signal.SIGKILL if server == "streams" else signal.SIGTERM)
        elif server == "avatars":
            self.drawings.flush()
        else:
            redis("FLUSHALL")

    def check_queue(self, load, actions, losses):
        cluster, check, count = self.cluster, self.check, len(self.book.names)
        until(lambda: cluster.streams("XLEN", WORK) == 0, "the stream is empty")
        lacking = sum(1 for contact in self.book.names if load.avatars[contact] != 2)
        check(lacking == 0, f"{lacking} of {count} contacts lack avatars, or got them twice")
        check(len(load.keys) == 2 * count, f"{len(load.keys)} of {2 * count} avatars were reported")
        check(cluster.streams("XLEN", DEAD) == 0, "there are dead jobs")
        counts, present = self.drawings.snapshot()
        self.keys = load.keys
        unstored = sum(1 for key in self.keys if not counts[key])
        check(unstored == 0, f"{unstored} of {2 * count} avatars were not stored in the shared tier")
        # Twice if a worker was killed after the drawing, once more after each loss of all avatars, and once more in each further load
        # of the contact, whose lookup may be late.
        further = {key: counts[key] - sum(key in keys for keys in self.loads) - losses for key in self.keys}
        most = max(further.values())
        check(most <= 1, f"an avatar was drawn {most} times more than {losses} losses of the shared tier explain")
        # Both workers have eight jobs of two avatars when something happens to them.
        total, most = sum(counts[key] for key in self.keys), sum(map(len, self.loads)) + 32 * actions
        check(total <= most, f"{total} drawings are more than {most}, which is all that {actions} kills and disturbances explain")
        here = held(cluster.avatars) & self.keys
        wrong = here ^ (present & self.keys)
        check(not wrong, f"{len(wrong)} avatars vanished from the shared tier, or came without being stored")

    def report_queue(self, load, seconds, kills, losses):
        counts = self.drawings.snapshot()[0]
        total, most, count = sum(counts[key] for key in self.keys), max(counts[key] for key in self.keys), len(self.book.names)
        print(f"queue: {count} contacts in {len(self.loads)} loads in {seconds:.1f} s, {2 * count / seconds:.0f} avatars/s; {kills} workers killed; "
              f"Redis of the avatars lost {losses} times; {total} drawings of {len(self.keys)} distinct avatars, {most} of one at most; "
              f"the last load reported drawn {load.summary.get('rendered')}, cached {load.summary.get('cached')}", flush=True)

    # The second phase

    def quiet(self):
        """All services load the book that the queue has drawn, at the same time and undisturbed: what the tier has is not drawn
        again, and what it lost is drawn once."""
        cluster, count = self.cluster, len(self.book.names)
        self.hold()
        self.settle([self.live])
        until(self.rests, "the services have the avatars of the last changes")
        lost = self.keys - held(cluster.avatars)
        stores, before = self.drawings.snapshot()[0], [metrics(number) for number in INSTANCES]
        start = time.monotonic()
        cluster.serves(self.live, self.book)
        for number in INSTANCES:
            cluster.reload(f"service-{number}")
        for number in INSTANCES:
            until(lambda: loaded(number, 2), f"service {number} has loaded the book", 3_600, 0.1)
        seconds = time.monotonic() - start
        after = [metrics(number) for number in INSTANCES]
        stored = self.drawings.snapshot()[0] - stores

        def total(name):
            return sum(new.get(name, 0) - old.get(name, 0) for new, old in zip(after, before))

        hits, drawn, late, waited = (int(total(name)) for name in (
            shared("hits"), ENCODED, shared("errors"), shared("lockTimeouts")))
        self.check_quiet(6 * count, hits, drawn, late + waited, lost, stored)
        print(f"services: {6 * count} avatars loaded in {seconds:.1f} s: {hits} shared hits, {drawn} drawings; the tier lacked "
              f"{len(lost)}, {late} lookups and stores were late or failed, {waited} waited too long for a lock: total drawings = "
              f"{2 * count} distinct avatars + {drawn - len(lost)}", flush=True)
        self.settle([self.live, self.book])

    def rests(self):
        """Whether no service looks up or draws an avatar for half a second."""
        def work():
            return [(samples.get(shared("hits")), samples.get(ENCODED)) for samples in map(metrics, INSTANCES)]

        before = work()
        time.sleep(0.5)
        return work() == before

    def check_quiet(self, requests, hits, drawn, late, lost, stored):
        check, further = self.check, drawn - len(lost)
        # A lookup of more than 50 ms is a miss by design: its photo, of two avatars, may then be drawn again.
        check(further <= 2 * late, f"{further} avatars that the tier has were drawn again, and only {late} lookups were late")
        # Of a small book one moment without the processor is more than a thousandth: a photo of each service.
        most = max(hits // 1_000, 2 * len(INSTANCES))
        check(further <= most, f"{further} avatars that the tier has were drawn again: more than {most}, with {hits} hits")
        check(hits + drawn == requests, f"{hits} shared hits and {drawn} drawings are not {requests} requests")
        # What was drawn and not stored was late, too.
        missing = lost - set(stored)
        check(len(missing) <= 2 * late, f"{len(missing)} avatars that the tier lost were not stored again")
        check(set(stored) <= self.keys and sum(stored.values()) <= drawn, "stored avatars were not drawn now")

    def hold(self):
        for client in (self.changer, self.viewer):
            client.hold()

    def go_on(self):
        for client in (self.changer, self.viewer):
            client.go_on()

    def settle(self, books):
        """Waits until each client knows all changes. None is made meanwhile. It is no use to go on with a client that is wrong."""
        truth = {book.served(contact): name for book in books for contact, name in book.names.items()}

        def wrong(client):
            with client.lock:
                names = client.names
                return [name for name in truth.keys() | names.keys() if truth.get(name) != names.get(name)]

        try:
            until(lambda: not any(map(wrong, self.clients)), "the clients know all changes", 30, 0.05)
        except Failed:
            for number in INSTANCES:
                names = contacts(PORTS[f"738{number}"])[0]
                self.check(names == truth, f"the list of instance {number} is wrong, too")
            for number, client in enumerate(self.clients):
                names = sorted(wrong(client))
                self.check(not names, f"client {number} has {len(names)} wrong contacts, such as {names[:3]}: " + ", ".join(
                    f"{client.names.get(name)!r} and not {truth.get(name)!r}" for name in names[:3]))
            raise

    # The third phase

    def events(self):
        """Both books change while instances are killed, and both Redis are disturbed."""
        options, changes = self.options, self.changer.changes
        self.changer.books.append(self.book)
        self.viewer.add(self.book)
        self.go_on()
        self.resume()
        kills = max(3, int(options.seconds / options.kills_every / 2))
        actions = ["kill"] * (kills - 1) + ["kill publisher"] + DISTURBANCES
        begun, start, self.done = self.changer.changes, time.monotonic(), collections.Counter()
        for place, action in self.schedule(int(CHANGES * options.seconds), actions):
            self.changer.wait(begun + place)
            if action == "kill":
                self.kill_service(self.chance.choice(INSTANCES))
            elif action == "kill publisher":
                self.kill_service(self.publisher())
            else:
                self.disturb(*action)
        self.changer.wait(begun + int(CHANGES * options.seconds))
        self.hold()
        self.settle([self.live, self.book])
        self.check(self.done["instances killed"] >= kills, f"only {self.done['instances killed']} instances were killed")
        for number, client in enumerate(self.clients):
            self.problems += [f"client {number}: {problem}" for problem in client.problems[:5]]
            self.check(client.events > 0, f"client {number} got no event")
        self.check(any(client.connects > 1 and client.resumed for client in self.clients), "no client went on after it connected again")
        for server, what in DISTURBANCES:
            self.check(self.done[f"{what} of {server}"] > 0, f"there was no {what} of the Redis of the {server} in the events phase")
        print(f"events: {self.changer.changes - changes} changes in {time.monotonic() - start:.1f} s, "
              f"{self.done['instances killed']} instances killed; clients: " + "; ".join(
                  f"{client.events} events, {client.connects} connections, {client.resumed} of them went on, {client.resets} resets"
                  for client in self.clients), flush=True)

    def resume(self):
        """Kills an instance that only passes events on, after its client has got all of them: the client goes on with the next event
        at another instance. Three attempts, since on a machine that stands still for seconds another instance publishes."""
        for _ in range(3):
            self.changer.hold()
            self.settle([self.live, self.book])
            before = [(client.connects, client.resumed, client.resets) for client in self.clients]
            number = self.follower()
            self.kill(number, signal.SIGKILL)
            until(lambda: any(client.connects > old[0] for client, old in zip(self.clients, before)), "a client connects again")
            reached = self.changer.changes
            self.changer.go_on()
            self.changer.wait(reached + 3)
            self.start_again(number)
            self.changer.hold()
            self.settle([self.live, self.book])
            self.changer.go_on()
            moved = [(client, old) for client, old in zip(self.clients, before) if client.connects > old[0]]
            if moved and all(client.resumed > old[1] and client.resets == old[2] for client, old in moved):
                return
        self.problems.append("no client went on at another instance without `reset`")

    def follower(self):
        """An instance with a client that does not publish. The proxy gives each instance as many clients as the others."""
        found = []

        def find():
            publisher = self.cluster.publisher()
            found[:] = [number for number in INSTANCES
                        if publisher and number != publisher and metrics(number).get("tondo_event_listeners", 0) > 0]
            return found

        until(find, "an instance that does not publish has a client", 20)
        return found[0]

    def publisher(self):
        until(lambda: self.cluster.publisher(), "an instance publishes the events", 20)
        return self.cluster.publisher()

    def kill_service(self, number):
        """The others answer meanwhile; it is there again before the next one is killed."""
        self.kill(number, self.chance.choice((signal.SIGKILL, signal.SIGTERM)))
        self.changer.wait(self.changer.changes + self.chance.randrange(2, 15))
        self.start_again(number)

    def kill(self, number, how):
        self.do(f"instances killed: {number} {'and it publishes' if number == self.cluster.publisher() else ''}")
        self.cluster.kill(f"service-{number}", how)

    def start_again(self, number):
        self.cluster.service(number)
        until(lambda: answering(number), f"service {number} answers", 600)

    # The end

    def finish(self):
        """Every contact has its avatars, through the proxy, whatever Redis lost."""
        start = time.monotonic()
        for client in self.clients:
            client.stop()
        books = (self.live, self.book)
        self.avatars.fetch_all([path for book in books for contact in book.names for path in paths(book, contact)])
        self.problems += self.avatars.problems[:5]
        print(f"avatars: {self.avatars.requests} through the proxy from {len(self.avatars.digests)} addresses, {self.avatars.repeated} "
              f"requests repeated; the last look at all took {time.monotonic() - start:.1f} s", flush=True)


def shared(event):
    return f'tondo_shared_total{{event="{event}"}}'


def measure(cluster, options):
    cluster.avatars.start()
    cluster.streams.start()
    book = Book(cluster.folder / "small", options.measured, ROOT / options.photo)
    return rates(cluster, book, options)


def run(work, options, problems):
    """Calls `work` with a cluster in a folder of its own, which is kept if there are problems."""
    cluster = Cluster(options.tondo, options.size, tempfile.mkdtemp(prefix="tondo-cluster-"))
    try:
        return work(cluster)
    except Failed as error:
        problems.append(str(error))
    finally:
        cluster.stop()
        if problems or options.keep:
            print(f"the logs are in {cluster.folder}", file=sys.stderr)
        else:
            subprocess.run(["rm", "-rf", cluster.folder])


def survive(cluster, options, problems):
    test = Test(cluster, options, problems)
    try:
        test.run()
    finally:
        if problems or options.keep or sys.exc_info()[0]:
            test.write_logs()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tondo", default=".build/release/tondo")
    parser.add_argument("--contacts", type=int, default=100_000, help="0: the rates alone")
    parser.add_argument("--seconds", type=float, default=60, help="of changes while instances are killed, about")
    parser.add_argument("--kills-every", type=float, default=2, help="seconds between kills of instances, about")
    parser.add_argument("--measured", type=int, default=2_000, help="contacts for the rates; 0: none")
    parser.add_argument("--rounds", type=int, default=1, help="of the rates")
    parser.add_argument("--slots", type=int, default=1, help="photos that each measured program draws at once")
    parser.add_argument("--pinned", action="store_true", help="each measured worker runs on a core of its own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--photo", default="assets/samples/ada.jpg")
    parser.add_argument("--size", type=int, default=96, help="points a side of the avatars, at scales 1 and 2")
    parser.add_argument("--proxy", choices=("nginx", "haproxy"), default="nginx")
    parser.add_argument("--keep", action="store_true", help="keep the folder with its logs")
    options = parser.parse_args()
    for program in ("redis-server", options.proxy):
        if subprocess.run(["which", program], capture_output=True).returncode:
            sys.exit(f"cluster: {program} is not installed")
    options.tondo = Path(options.tondo).resolve()
    # Nothing is left behind by a run that is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    problems, lines = [], []
    if options.contacts:
        run(lambda cluster: survive(cluster, options, problems), options, problems)
    if options.measured:
        lines = run(lambda cluster: measure(cluster, options), options, problems) or []
    for problem in problems:
        print(f"FAILED: {problem}")
    for line in lines:
        print(line)
    if options.contacts:
        print("cluster: " + ("failed" if problems else "every avatar is there, no event was missed or came twice"))
    sys.exit(1 if problems else 0)


main()
