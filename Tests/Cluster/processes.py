"""The processes of a cluster on this machine: Redis, services, workers and a proxy, each under a name, with its messages in a file."""
import json
import os
import signal
import subprocess
import time
import urllib.request
from pathlib import Path

from resp import Redis

ROOT = Path(__file__).resolve().parents[2]
PORTS = {"7380": 17380, "7381": 17381, "7382": 17382, "7383": 17383}
PROXY = PORTS["7380"]
INSTANCES = (1, 2, 3)
# Width and gap of the ring for which an avatar keeps room.
RING = (4, 3)
WORK, DEAD = "tondo:1:{jobs}:work", "tondo:1:{jobs}:dead"


class Failed(Exception):
    pass


def until(condition, what, seconds=180.0, pause=0.02):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failed(f"in {seconds:.0f} s it did not happen that {what}")
        time.sleep(pause)


class Cluster:
    def __init__(self, tondo, size, folder):
        self.tondo, self.size, self.folder, self.running = tondo, size, Path(folder), {}
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": str(self.folder / "config"),
            "TONDO_SHARED_AVATARS": f"unix:{self.folder}/avatars.sock",
            "TONDO_SHARED_STREAMS": f"unix:{self.folder}/streams.sock",
        }
        # As documented: the one may lose everything, the other keeps a log of its changes.
        self.avatars = Server(self, "avatars", "--maxmemory-policy", "allkeys-lru", "--appendonly", "no")
        self.streams = Server(self, "streams", "--maxmemory-policy", "noeviction", "--appendonly", "yes")

    def start(self, name, *words, output=None, environment=None, core=None):
        """Starts a program under a name; its messages go to a file, and so does its output unless it is taken."""
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=output or log, stderr=log,
                                   env=environment or self.environment, cwd=self.folder,
                                   preexec_fn=core is not None and (lambda: os.sched_setaffinity(0, {core})) or None)
        log.close()
        self.running[name] = process
        return process

    def worker(self, name, book, *words, core=None):
        return self.start(name, self.tondo, "worker", book.folder, "--config", "/dev/null", "--cache-dir", f"cache-{name}",
                          "--claim-after", 3, "--name", f"{name}-{time.monotonic_ns()}", *(words or ("--jobs", 1)),
                          core=core)

    def serves(self, *books):
        """The books of the services: of those that start, and of those that are reloaded. Their styles are those of the queue."""
        (self.folder / "tondo.toml").write_text(f"books = {json.dumps([str(book.folder) for book in books])}\n" + "".join(
            f"[styles.{name}]\nsize = {self.size}\nscale = {scale}\nring-width = {RING[0]}\nring-gap = {RING[1]}\n"
            for scale, name in ((1, "one"), (2, "two"))))

    def styles(self):
        """The same for `tondo load`."""
        return ["--size", self.size, "--scale", "1,2", "--ring-width", RING[0], "--ring-gap", RING[1]]

    def service(self, number):
        return self.start(f"service-{number}", self.tondo, "serve", "--config", "tondo.toml", "--jobs", 1,
                          "--cache-dir", f"cache-service-{number}", "--listen", f"127.0.0.1:{PORTS[f'738{number}']}",
                          # What comes through a proxy needs the token otherwise.
                          "--public", "contacts", "--public", "avatars", "--public", "events")

    def proxy(self, name):
        return self.nginx() if name == "nginx" else self.haproxy()

    def haproxy(self):
        (self.folder / "haproxy.cfg").write_text(moved((ROOT / "assets/proxy/haproxy.cfg").read_text()))
        return self.start("haproxy", "haproxy", "-db", "-f", self.folder / "haproxy.cfg")

    def nginx(self):
        (self.folder / "tondo.conf").write_text(moved((ROOT / "assets/proxy/nginx.conf").read_text()))
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

    def reload(self, name):
        self.running[name].send_signal(signal.SIGHUP)

    def stop(self):
        for name in list(self.running):
            self.kill(name)

    def publisher(self):
        """The number of the instance that has the lease of the events; None: none has it now."""
        for lease in self.streams("KEYS", "tondo:1:{events:*}:lease"):
            owner = (self.streams("GET", lease) or b"").split(b"-")[0]
            for number in INSTANCES:
                process = self.running.get(f"service-{number}")
                if process and owner == str(process.pid).encode():
                    return number
        return None


def moved(configuration):
    """A proxy's configuration with the ports of the cluster."""
    for port, other in PORTS.items():
        configuration = configuration.replace(f"127.0.0.1:{port}", f"127.0.0.1:{other}")
    return configuration


class Server:
    """A Redis, and a connection to it that is made again when the server was."""

    def __init__(self, cluster, name, *words):
        self.cluster, self.name, self.words = cluster, name, words
        self.path, self.folder = cluster.folder / f"{name}.sock", cluster.folder / f"redis-{name}"
        self.starts, self.connection = 0, None
        # Called with the server's socket before any other client reaches it.
        self.on_start = lambda path: None

    def start(self):
        self.folder.mkdir(exist_ok=True)
        self.starts += 1
        socket = self.cluster.folder / f"{self.name}-{self.starts}.sock"
        self.cluster.start(f"redis-{self.name}", "redis-server", "--port", 0, "--unixsocket", socket, "--save", "", "--maxmemory",
                           "8gb", "--dir", self.folder, "--loglevel", "warning", "--notify-keyspace-events", "K$", *self.words)
        until(lambda: answers(socket), "Redis listens")
        self.on_start(socket)
        socket.rename(self.path)

    def __call__(self, *words):
        try:
            self.connection = self.connection or Redis(self.path, timeout=60)
            return self.connection(*words)
        except OSError:
            self.connection = Redis(self.path, timeout=60)
            return self.connection(*words)

    def pause(self, seconds=1.0):
        process = self.cluster.running[f"redis-{self.name}"]
        process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        process.send_signal(signal.SIGCONT)

    def restart(self, number=signal.SIGKILL):
        self.cluster.kill(f"redis-{self.name}", number)
        self.start()


def answers(path):
    try:
        return Redis(path, timeout=1)("PING") == "PONG"
    except (OSError, RuntimeError):
        # Loading its data.
        return False


def response(number, path):
    """Of one instance, without the proxy; None: it does not answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORTS[f'738{number}']}{path}", timeout=5) as answer:
            return answer.read().decode()
    except (OSError, ValueError):
        return None


def answering(number):
    return response(number, "/readyz") is not None


def loaded(number, books):
    """The avatars of all books are loaded, too."""
    report = json.loads(response(number, "/readyz") or "{}")
    return len(report.get("books", [])) == books and all(book["loaded"] for book in report["books"])


def metrics(number):
    """The samples of an instance, by their names with labels."""
    lines = (response(number, "/metrics") or "").splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))}
