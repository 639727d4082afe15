"""More faces asked for than can be drawn: who is refused, who waits for nothing, what memory does, how it ends."""
import asyncio
import collections
import itertools
import random
import statistics
import time

from books import face
from crowd import connect

PATIENCE = 10
MOST = 4000


def looks(people):
    """Addresses of faces that were never asked for. Small and large ones are mixed, so that the last weigh no more than the
    first."""
    sizes = list(range(40, 400))
    random.Random(1).shuffle(sizes)
    for size, state, number in itertools.product(sizes, ("", "&state=normal", "&state=selected"), range(people)):
        yield face(number, size, state)


async def capacity(port, addresses, seconds, connections=8):
    """Faces a second that a few patient clients get drawn."""
    end = time.perf_counter() + seconds
    count = 0

    async def work():
        nonlocal count
        client = await connect(port)
        while time.perf_counter() < end:
            status, _ = await client.ask(next(addresses))
            assert status == 200, status
            count += 1
        client.leave()

    start = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(connections)))
    return count / (time.perf_counter() - start)


class Storm:
    """Requests at a fixed rate, however long answers take: each has a connection of its own, or one that is idle."""

    def __init__(self, port, addresses):
        self.port, self.addresses = port, addresses
        self.idle, self.open, self.tasks = [], 0, set()
        self.statuses, self.times = collections.Counter(), collections.defaultdict(list)
        self.hung, self.unsent, self.sent = 0, 0, 0
        self.lost = collections.Counter()

    async def one(self, address):
        start = time.perf_counter()
        client = self.idle.pop() if self.idle else None
        try:
            if client is None:
                self.open += 1
                client = await asyncio.wait_for(connect(self.port), PATIENCE)
            status, _ = await client.ask(address, PATIENCE)
        except TimeoutError:
            self.hung += 1
        except OSError as error:
            self.lost[str(error) or "cut off"] += 1
        else:
            self.statuses[status] += 1
            self.times[status].append(time.perf_counter() - start)
            if not client.closed:
                self.idle.append(client)
                return
        if client:
            client.leave()
        self.open -= 1

    async def blow(self, rate, seconds, server, memory):
        start = time.perf_counter()
        sampled = 0
        while (now := time.perf_counter() - start) < seconds:
            while self.sent + self.unsent < now * rate:
                if not self.idle and self.open >= MOST:
                    self.unsent += 1
                    continue
                self.sent += 1
                task = asyncio.create_task(self.one(next(self.addresses)))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
            if now >= sampled:
                memory.append(server.rss())
                sampled += 0.5
            await asyncio.sleep(0.002)


async def recover(port, addresses):
    """Seconds until a new client has got a new avatar, with retries after refusals."""
    start = time.perf_counter()
    while time.perf_counter() - start < 60:
        client = await connect(port)
        try:
            status, _ = await client.ask(next(addresses), 60)
            if status == 200:
                break
        except (TimeoutError, OSError):
            pass
        finally:
            client.leave()
        await asyncio.sleep(0.02)
    return time.perf_counter() - start


async def overload(server, people, seconds):
    addresses = looks(people)
    memory = []
    fastest = await capacity(server.port, addresses, 3)
    storm = Storm(server.port, addresses)
    await storm.blow(4 * fastest, seconds, server, memory)
    waiting = len(storm.tasks)
    after = await recover(server.port, addresses)
    if storm.tasks:
        await asyncio.wait(list(storm.tasks), timeout=PATIENCE + 5)
    for client in storm.idle:
        client.leave()
    return fastest, storm, waiting, after, memory


def measure(report, server, people, seconds):
    fastest, storm, waiting, after, memory = asyncio.run(overload(server, people, seconds))
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(storm.statuses.items()))
    name = f"{seconds} s of {4 * fastest:,.0f} new faces a second, 4 times what {fastest:,.0f} a second are drawn"
    others = sum(count for status, count in storm.statuses.items() if status not in (200, 503))
    report.add(f"{name}: answers", "200 or 503 only", f"{statuses}; lost {dict(storm.lost) or 0}, not sent for "
               f"want of connections {storm.unsent}", others + storm.lost.total() == 0 and storm.statuses[503] > 0)
    for status, word in ((200, "drawn"), (503, "refused")):
        if times := sorted(storm.times[status]):
            report.add(f"  {word}, ms: median and slowest", "-",
                       f"{statistics.median(times) * 1e3:,.0f}, {times[-1] * 1e3:,.0f}")
    report.add(f"  without an answer after {PATIENCE} s", "0", f"{storm.hung}", storm.hung == 0)
    half = len(memory) // 2
    early, late = max(memory[:half]), max(memory[half:])
    report.add("  RSS, MB: before, most in the first and in the second half", "flat: at most 10 % more",
               f"{memory[0]:.0f}, {early:.0f}, {late:.0f}", late <= 1.1 * early)
    report.add(f"  s to a new face right after, with {waiting} still waiting", "at most 1", f"{after:.2f}", after <= 1)
