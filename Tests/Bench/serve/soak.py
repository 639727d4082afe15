#!/usr/bin/env python3
"""Uses the service for a long time as the world does: load, changes in the book, restarts, clients that vanish or do not read,
books that are lost for a while, reloads, hostile bytes; within 1 GiB of memory.

usage: soak.py [--seconds N] [--seed N] [--tondo PATH] [--memory MB] [--patience SECONDS]

A fifth of the time it is started, used and ended over and over, by SIGTERM and by SIGKILL; then one service lives for the
rest. Part of the photos are cut off, each in other bytes, so that remembered failures grow as they do in the world. When
the changes end, the service is compared with a fresh load of the same folder and with a fresh service: the same contacts,
the same avatars. Ends with 1 when anything unexpected was answered, logged, lost or left behind, when memory, descriptors or
threads grew, or when the service and its decoders had more memory than --memory.

Flat means: of the last third of the long life, the median of memory is at most 5 % (at least 12 MB) above that of the first
third; the most descriptors at most 20 % and 5; the median of threads at most 10 % and 4. At rest, after it, there are at
most 2 descriptors more than before it.
"""
import argparse
import asyncio
import collections
import json
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import books
import hostile
import memory
import service
from books import face
from crowd import connect
from service import Tondo
from trouble import Trouble

PEOPLE = 300
# The last third's medians may be so much above the first's: a factor, and MB or threads.
MEMORY_GROWTH, MEMORY_SLACK = 1.05, 12
THREADS_GROWTH, THREADS_SLACK = 1.1, 4
# Seconds in which a service and a fresh one have to agree.
LONGEST_PAUSE = 660
EXPECTED = {200, 202, 304, 400, 404, 503}
# What may be said aloud in a book where everything changes and much is broken.
FINE = re.compile(r"tondo: (\d+ (of \d+ )?contacts?|ended|.*\b(reading (the )?settings|settings (read|are))\b|"
                  # The second book is lost and found again all the time.
                  r"error: \S+/second: (cannot be read|not an address book).*; retried with back-off|"
                  r"error: \S+/second: \d+ of its folders and files are unreadable|"
                  r"\S+/second: (can be read again|all of its folders and files are readable again))")


class Soak:
    def __init__(self, folder, seed, tondo, most, patience):
        self.folder, self.random, self.tondo = folder, random.Random(seed), tondo
        self.book = books.make(folder / "book", PEOPLE, photo_every=2)
        self.photos = books.photos()
        self.counts, self.problems = collections.Counter(), []
        self.server, self.leaving = None, False
        self.most, self.highest = most, 0.0
        self.patience = patience
        self.trouble = Trouble(self)

    def problem(self, text):
        self.counts["problems"] += 1
        if len(self.problems) < 20:
            self.problems.append(text)
            print(f"! {text}", flush=True)

    def address(self):
        who, pick = self.random.randrange(PEOPLE + 10), self.random.random()
        if pick < 0.6:
            return face(who, self.random.choice((48, 96)), self.random.choice(("", "&state=selected")))
        if pick < 0.75:
            return face(who, self.random.randrange(16, 300), self.random.choice(("", "&wait=0", "&scale=2")))
        return self.random.choice((
            "/v1/contacts?limit=50&search=9", "/v1/contacts?sort=family-desc&limit=20", f"/v1/contacts/person-{who}",
            "/v1/groups", "/v1/jobs", "/metrics", "/healthz", "/readyz", "/", "/v1/cache",
            f"/v1/cache/why/person-{who}?size=48", f"/avatar/{self.random.getrandbits(128):032x}?d=identicon&s=64",
            f"/avatar/{self.random.getrandbits(128):032x}?d=404"))

    async def user(self, end):
        """Asks for this and that on one connection, sometimes for what it has already."""
        client, tag = None, ""
        while time.monotonic() < end:
            address = self.address()
            try:
                client = client or await connect(self.server.port)
                status, answer = await client.ask(address, self.patience, tag)
                self.counts[f"answers {status}"] += 1
                if status not in EXPECTED:
                    self.problem(f"{address}: {answer[:300]!r}")
                found = re.search(rb'ETag: ("[^"]+")', answer[:600])
                tag = f"If-None-Match: {found[1].decode()}\r\n" if found and self.random.random() < 0.3 else ""
                if client.closed:
                    client = None
            except (TimeoutError, OSError) as error:
                if not self.leaving:
                    self.problem(f"{address}: {error!r}")
                    await asyncio.sleep(0.1)
                if client:
                    client.leave()
                client = None
                if self.leaving:
                    break
            await asyncio.sleep(self.random.random() * 0.02)
        if client:
            client.leave()

    async def listener(self, end):
        """Hears a while and vanishes, now and then without reading anything."""
        while time.monotonic() < end and not self.leaving:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
                last = self.random.choice(("", "Last-Event-ID: 0\r\n", "Last-Event-ID: 99999999\r\n"))
                writer.write(f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n{last}\r\n".encode())
                until = time.monotonic() + self.random.random() * 5
                while time.monotonic() < min(until, end) and not self.leaving:
                    try:
                        if not await asyncio.wait_for(reader.read(1 << 16), 0.5):
                            break
                    except TimeoutError:
                        pass
                self.counts["listeners"] += 1
                # Some only stop sending: the service is to notice that as well.
                if self.random.random() < 0.3 and writer.can_write_eof():
                    writer.write_eof()
                    try:
                        while await asyncio.wait_for(reader.read(1 << 16), self.patience):
                            pass
                    except TimeoutError:
                        self.problem("a listener that had closed its side was kept")
                writer.transport.abort() if self.random.random() < 0.5 else writer.close()
            except OSError:
                await asyncio.sleep(0.1)

    async def rude(self, end):
        """Connections that say something else, or half of it, and go."""
        while time.monotonic() < end and not self.leaving:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
                writer.write(hostile.request(self.random, self.address()))
                if self.random.random() < 0.5:
                    try:
                        await asyncio.wait_for(reader.read(1 << 16), self.random.random())
                    except TimeoutError:
                        pass
                self.counts["rude connections"] += 1
                writer.transport.abort() if self.random.random() < 0.7 else writer.close()
            except OSError:
                pass
            await asyncio.sleep(self.random.random() * 0.05)

    async def editor(self, end):
        """Changes the book: other words, other photos, people who leave and come back, files that are rubbish."""
        while time.monotonic() < end:
            number, pick = self.random.randrange(PEOPLE), self.random.random()
            if pick < 0.1:
                (self.book / f"{number}.vcf").unlink(missing_ok=True)
            elif pick < 0.25:
                photo = self.random.choice(self.photos)
                cut = photo[:self.random.randrange(2, len(photo) // 2)]
                books.replace(self.book, number, books.card(number, books.distinct(cut, self.random.randrange(1 << 30))))
                self.counts["broken photos"] += 1
            elif pick < 0.4:
                books.replace(self.book, number, hostile.card(self.random, number, self.photos))
            else:
                photo = None
                if self.random.random() < 0.5:
                    photo = books.distinct(self.random.choice(self.photos), self.random.randrange(1000))
                books.replace(self.book, number, books.card(number, photo, f"note {self.random.random()}"))
            self.counts["changes in the book"] += 1
            await asyncio.sleep(self.random.random() * 0.2)

    async def use(self, seconds, sample=None):
        end = time.monotonic() + seconds
        tasks = [asyncio.create_task(work(end)) for work, count in
                 ((self.user, 12), (self.listener, 8), (self.rude, 4), (self.editor, 1), (self.trouble.slow_reader, 8),
                  (self.trouble.loser, 1), (self.trouble.reloader, 1)) for _ in range(count)]
        while time.monotonic() < end:
            await asyncio.sleep(min(1, max(end - time.monotonic(), 0)))
            if self.server.child.poll() is not None:
                self.problem(f"the service ended with {self.server.child.returncode}")
                break
            together = await asyncio.to_thread(lambda: memory.megabytes(memory.processes(self.server.pid)))
            self.highest = max(self.highest, together)
            if sample is not None:
                sample.append((self.server.rss(), self.server.descriptors(), memory.threads(self.server.pid)))
        return tasks

    async def finish(self, tasks):
        self.leaving = True
        done, left = await asyncio.wait(tasks, timeout=self.patience + 5)
        for task in left:
            self.problem(f"a client never came to its end: {task.get_coro().__name__}")
            task.cancel()
        for task in done:
            if task.exception():
                self.problem(f"{task.get_coro().__name__}: {task.exception()!r}")
        self.leaving = False

    def start(self):
        self.trouble.restore()
        self.trouble.configure()
        self.server = Tondo(self.book, self.folder / "home", options=("--cache-max-size", "200MB"), tondo=self.tondo,
                            settings=self.trouble.settings, within=memory.command_within(self.most))

    async def short_lives(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.start()
            tasks = await self.use(self.random.uniform(1, 6))
            kill = self.random.random() < 0.4
            self.leaving = True
            status = await asyncio.to_thread(self.server.end, 20, signal.SIGKILL if kill else signal.SIGTERM)
            self.counts["kills" if kill else "restarts"] += 1
            if status != (-signal.SIGKILL if kill else 0):
                self.problem(f"ended with {status}")
            await self.finish(tasks)

    async def long_life(self, seconds):
        """Memory and descriptors, each second under load, and descriptors at rest before and after."""
        self.start()
        await asyncio.to_thread(self.server.wait_until_loaded, 15 * self.patience)
        sample, rest = [], []
        # What is opened with the first use, such as the index of the cache, is there before the first count.
        for length, into in ((min(10, seconds / 8), None), (seconds, sample)):
            await self.finish(await self.use(length, into))
            if self.server.child.poll() is None:
                # What lingers is given two seconds; other connections were closed by us.
                await asyncio.sleep(5)
                rest.append(self.server.open_files())
        if self.server.child.poll() is None:
            self.highest = max(self.highest, memory.peak(self.server.pid))
            await asyncio.to_thread(self.compare)
            if (status := self.server.end()) != 0:
                self.problem(f"ended with {status}")
        return sample, rest

    def compare(self):
        """The service against a fresh load of the folders and a fresh service with an empty cache, until they agree."""
        self.server.wait_until_loaded(15 * self.patience)
        with Tondo(self.book, self.folder / "fresh", tondo=self.tondo, settings=self.trouble.settings) as fresh:
            fresh.wait_until_loaded(15 * self.patience)
            start = time.monotonic()
            # What found no room in the queue is drawn after pauses of ten minutes at most.
            while (found := self.differences(fresh)) and time.monotonic() < start + LONGEST_PAUSE:
                time.sleep(2)
            print(f"  compared for {time.monotonic() - start:.0f} s")
            for text in found:
                self.problem(text)

    def differences(self, fresh):
        kept, new, found = self.contacts(self.server), self.contacts(fresh), []
        loaded = self.loaded(self.book, "") + self.loaded(self.trouble.second, "2~")
        for name, ids in (("a fresh service", list(new)), ("a fresh load", loaded)):
            if list(kept) != ids:
                lost, more = set(ids) - set(kept), set(kept) - set(ids)
                found.append(f"other contacts than {name}: {len(lost)} lost {sorted(lost)[:5]}, {len(more)} too many "
                             f"{sorted(more)[:5]}" if lost or more else f"another order than {name}")
        for contact in kept.keys() & new.keys():
            path = f"/v1/contacts/{quote(contact, safe='')}/avatar?size=48"
            ours, theirs = (server.get(path)[::2] for server in (self.server, fresh))
            if ours != theirs:
                found.append(f"the avatar of {contact} differs from a fresh service's: {ours[0]}, {theirs[0]}")
            found += [f"{name} of {contact}: {str(kept[contact].get(name))[:120]}, of a fresh service "
                      f"{str(new[contact].get(name))[:120]}" for name in kept[contact].keys() | new[contact].keys()
                      if kept[contact].get(name) != new[contact].get(name)]
        self.counts["contacts compared"] = len(kept)
        return found

    def loaded(self, book, prefix):
        listing = subprocess.run([self.tondo, "contacts", "ls", book, "--json"], capture_output=True, text=True)
        return [prefix + json.loads(line)["id"] for line in listing.stdout.splitlines()]

    @staticmethod
    def contacts(server):
        found, cursor = {}, ""
        while cursor is not None:
            page = server.ask(f"/v1/contacts?limit=200{cursor}")
            found |= {contact["id"]: contact for contact in page["items"]}
            cursor = f"&cursor={quote(page['next'], safe='')}" if page.get("next") else None
        return found

    def judge(self, sample, rest):
        thirds = [sample[len(sample) * part // 3:len(sample) * (part + 1) // 3] for part in range(3)]
        if len(sample) < 9 or len(rest) < 2:
            return self.problem("too short to judge memory")
        middle = [statistics.median(rss for rss, _, _ in third) for third in thirds]
        open_files = [max(count for _, count, _ in third) for third in thirds]
        threads = [statistics.median(count for _, _, count in third) for third in thirds]
        print(f"  RSS, MB, median of each third: {', '.join(f'{value:.1f}' for value in middle)}; most "
              f"{max(rss for rss, _, _ in sample):.1f}; with decoders {self.highest:.1f} of {self.most}")
        print(f"  descriptors, most in each third: {', '.join(map(str, open_files))}; at rest before and after: "
              f"{rest[0].total()}, {rest[1].total()}")
        print(f"  threads, median of each third: {', '.join(f'{value:.0f}' for value in threads)}")
        for name, count in (rest[1] - rest[0]).items():
            print(f"  {count} more of {name}")
        if middle[2] > max(MEMORY_GROWTH * middle[0], middle[0] + MEMORY_SLACK):
            self.problem(f"memory grew: {middle[2]:.1f} MB in the last third, {middle[0]:.1f} in the first")
        if rest[1].total() > rest[0].total() + 2 or open_files[2] > 1.2 * open_files[0] + 5:
            self.problem("descriptors grew")
        if threads[2] > THREADS_GROWTH * threads[0] + THREADS_SLACK:
            self.problem(f"threads grew: {threads[2]:.0f} in the last third, {threads[0]:.0f} in the first")
        if self.highest > self.most:
            self.problem(f"the service and its decoders had {self.highest:.1f} MB, {self.most} at most")

    def look_at_log(self):
        lines = (self.folder / "home/log").read_text(errors="replace").splitlines()
        odd = [line for line in lines if not FINE.match(line)]
        kinds = collections.Counter(re.sub(r"\d+", "N", line)[:120] for line in odd)
        for line, count in kinds.most_common(8):
            print(f"  logged {count} times: {line}")
        for line in odd:
            if re.search(r"fatal|error:|critical|crash|precondition|out of memory", line, re.IGNORECASE):
                self.problem(f"logged: {line}")

    def check_cache(self):
        result = subprocess.run([self.tondo, "cache", "verify", "--cache-dir", self.folder / "home/cache"],
                                capture_output=True, text=True)
        lines = result.stdout.splitlines()
        print("  cache verify: " + "; ".join(lines[-3:]))
        # A killed process leaves the file it was writing; nothing else may be wrong.
        strays = [line for line in lines[:-1] if line.startswith("stray: tmp/")]
        if len(strays) != len(lines) - 1 or len(strays) > 4 * self.counts["kills"]:
            self.problem(f"cache verify ended with {result.returncode}: {result.stdout}{result.stderr}")
        left = [item for item in self.book.iterdir() if not item.name.endswith(".vcf")]
        if left:
            self.problem(f"left in the book: {left[:3]}")


async def run(soak, seconds):
    try:
        await soak.short_lives(seconds / 5)
        soak.judge(*await soak.long_life(seconds * 4 / 5))
    finally:
        if soak.server:
            soak.server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tondo", type=Path, default=service.TONDO, help="the program")
    parser.add_argument("--patience", type=float, default=20, metavar="SECONDS",
                        help="in which a request has its answer (20); more for a debug build on a busy machine")
    parser.add_argument("--memory", type=int, default=1024, metavar="MB", help="of the service and its decoders (1024)")
    options = parser.parse_args()
    service.keep_clients_apart()
    with tempfile.TemporaryDirectory(prefix="tondo-soak-") as folder:
        soak = Soak(Path(folder), options.seed, options.tondo.resolve(), options.memory, options.patience)
        asyncio.run(run(soak, options.seconds))
        soak.look_at_log()
        soak.check_cache()
    print("  " + ", ".join(f"{name}: {count}" for name, count in sorted(soak.counts.items())))
    print(f"{options.seconds} s, seed {options.seed}: "
          + (f"{soak.counts['problems']} problems" if soak.problems else "all is well"))
    sys.exit(1 if soak.problems else 0)


main()
