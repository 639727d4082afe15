#!/usr/bin/env python3
"""Checks what docs/scaling.md says of the proxies: runs nginx and HAProxy with the files of assets/proxy before three stub servers.

usage: proxies.py [--proxy nginx|haproxy] | proxies.py --self-test

With --self-test each check runs with a configuration that was made wrong, and has to fail. Ends with 69 if a proxy is not
installed.
"""
import argparse
import concurrent.futures
import contextlib
import ctypes
import http.client
import http.server
import os
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROXIES = ("nginx", "haproxy")
PATHS = [f"/v1/contacts/contact-{number}/avatar" for number in range(300)]
RANGE = range(20_000, 32_000)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do(self):
        stub = self.server.stub
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/readyz":
            return self.respond(200 if stub.ready else 503)
        stub.requests.append((self.command, self.path))
        if stub.mode == "break":
            self.close_connection = True
        elif stub.mode == "503":
            self.respond(503)
        elif self.path == "/v1/events":
            self.stream()
        else:
            self.respond(200)

    do_GET = do_HEAD = do_POST = do_DELETE = do

    def respond(self, status):
        body = self.server.stub.name.encode()
        self.send_response(status)
        self.send_header("X-Stub", self.server.stub.name)
        self.send_header("Content-Length", str(len(body)))
        if status == 503:
            self.send_header("Retry-After", "1")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def stream(self):
        """One event at once, and no end before the client ends. Not in chunks as Tondo does it: nginx passes these on at once
        even while it buffers."""
        stub = self.server.stub
        self.send_response(200)
        self.send_header("X-Stub", stub.name)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"data: first\n\n")
        self.wfile.flush()
        stub.streams += 1
        with contextlib.suppress(OSError):
            self.connection.recv(1)
        stub.streams -= 1
        self.close_connection = True

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads, block_on_close, request_queue_size = True, False, 128

    def handle_error(self, *_):
        pass


class Stub:
    """A server that counts requests, and answers with its name."""

    def __init__(self, number):
        self.name, self.mode, self.ready = f"stub-{number}", "", True
        self.requests, self.streams, self.connections, self.server = [], 0, set(), None
        self.port = None
        self.start()

    def start(self):
        stub = self

        class Tracking(Handler):
            def setup(self):
                super().setup()
                stub.connections.add(self.connection)

            def finish(self):
                stub.connections.discard(self.connection)
                super().finish()

        self.server, self.port = listening(lambda port: Server(("127.0.0.1", port), Tracking), self.port)
        self.server.stub = self
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self):
        """As a process that is killed: connections end, new ones are refused."""
        if self.server is None:
            return
        self.server.shutdown()
        self.server.server_close()
        self.server = None
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def listening(make, port=None):
    """Calls `make` with a port below those that the kernel gives to clients; returns its result and the port."""
    for _ in range(200):
        number = port or random.choice(RANGE)
        try:
            return make(number), number
        except OSError:
            time.sleep(0.01)
    raise SystemExit("proxies: there is no free port")


def free_port():
    def make(port):
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", port))
    return listening(make)[1]


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class Case:
    """Three stubs behind a proxy with its documented file, after the replacements of `faults`."""

    def __init__(self, proxy, faults=()):
        self.proxy, self.faults = proxy, faults
        self.folder = Path(tempfile.mkdtemp(prefix="tondo-proxies-"))
        self.stubs, self.port, self.process = [Stub(number) for number in (1, 2, 3)], free_port(), None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        for stub in self.stubs:
            stub.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def configuration(self, faults=()):
        text = (ROOT / "assets/proxy" / ("nginx.conf" if self.proxy == "nginx" else "haproxy.cfg")).read_text()
        for old, new in (*self.faults, *faults):
            if old not in text:
                raise SystemExit(f"proxies: the configuration of {self.proxy} has no '{old}', which the self-test replaces")
            text = text.replace(old, new)
        for port, other in zip((7380, 7381, 7382, 7383), (self.port, *(stub.port for stub in self.stubs))):
            text = text.replace(f"127.0.0.1:{port}", f"127.0.0.1:{other}")
        return text

    def start(self, faults=()):
        file, log = self.folder / "proxy.conf", open(self.folder / "log", "ab")
        file.write_text(self.configuration(faults))
        if self.proxy == "nginx":
            places = " ".join(f"{kind}_temp_path {self.folder}/{kind};"
                              for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            # More than one process, as usual. As root it would give them to another user, which may not open the folder.
            user = "user root;" if os.geteuid() == 0 else ""
            (self.folder / "nginx.conf").write_text(
                f"daemon off; worker_processes 2; {user} pid {self.folder}/pid; error_log stderr error;\n"
                f"events {{}}\nhttp {{ access_log off; {places} include {file}; }}\n")
            command = ["nginx", "-c", self.folder / "nginx.conf", "-p", self.folder]
        else:
            command = ["haproxy", "-db", "-f", file]
        with log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            preexec_fn=die_with_parent)
        until(self.listens, f"{self.proxy} listens: {self.log()}")

    def stop(self):
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def listens(self):
        if self.process.poll() is not None:
            raise Failed(f"{self.proxy} ended: {self.log()}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def request(self, method, path, connection=None):
        """The status, and the name of the stub that answered."""
        own = connection is None
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=8)
        body = b"{}" if method == "POST" else None
        try:
            connection.request(method, path, body=body)
            response = connection.getresponse()
            response.read()
            return response.status, response.headers.get("X-Stub")
        finally:
            if own:
                connection.close()

    def get(self, path):
        return self.request("GET", path)

    def chosen(self, path):
        """The stub that a path leads to."""
        status, name = self.get(path)
        if status != 200:
            raise Failed(f"GET {path}: {status}")
        return next(stub for stub in self.stubs if stub.name == name)

    def places(self):
        """The stub of each path."""
        connection, found = http.client.HTTPConnection("127.0.0.1", self.port, timeout=8), {}
        with contextlib.closing(connection):
            for path in PATHS:
                status, found[path] = self.request("GET", path, connection)
                if status != 200:
                    raise Failed(f"GET {path}: {status}")
        return found

    def repeats(self, method, path, seconds=0.3):
        """How often the stubs got a request."""
        time.sleep(seconds)
        return sum(stub.requests.count((method, path)) for stub in self.stubs)

    def is_taken_out(self, stub):
        """HAProxy reports it on standard error, for each of the two backends."""
        return self.log().count(f"/{stub.name.replace('stub', 'tondo')} is DOWN") == 2


class Failed(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Failed(text)


def until(condition, what, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        require(time.monotonic() < end, f"in {seconds:.0f} s it did not happen that {what}")
        time.sleep(0.02)


def shares(places):
    values = list(places.values())
    return {name: values.count(name) for name in sorted(set(values))}


def spreads(places, names):
    """Each has a fair share, between a half and twice of the mean."""
    counts, mean = shares(places), len(places) / len(names)
    return set(counts) == set(names) and all(mean / 2 < count < 2 * mean for count in counts.values())


# Each check gets a case, and raises Failed.

def one_path_one_instance(case):
    names = {case.get(PATHS[0])[1] for _ in range(50)}
    require(len(names) == 1, f"50 requests for one path went to {len(names)} instances")
    places = case.places()
    require(spreads(places, [stub.name for stub in case.stubs]), f"{len(PATHS)} paths: {shares(places)}")
    require(case.places() == places, "the same paths went to other instances the second time")


def queries_do_not_count(case):
    names = {case.get(f"{PATHS[0]}?size={size}&scale=2")[1] for size in range(30)}
    require(len(names) == 1, f"one path with 30 queries went to {len(names)} instances")


def compare(before, after, lost, others, what):
    moved = [path for path in PATHS if before[path] != lost and after[path] != before[path]]
    require(not moved, f"{what}: {len(moved)} paths of the other instances moved")
    of_lost = {path: after[path] for path in PATHS if before[path] == lost}
    require(spreads(of_lost, others), f"{what}: its {len(of_lost)} paths went to {shares(of_lost)}")


def lost_instance(case):
    """An instance is killed: a client gets no error, and only the paths of this instance move."""
    before = case.places()
    lost = case.chosen(PATHS[0])
    others = [stub.name for stub in case.stubs if stub is not lost]
    lost.stop()
    start = time.monotonic()
    status, name = case.get(PATHS[0])
    require(status == 200 and name in others, f"the first request after the kill: {status} of {name}")
    # Nothing was sent: HAProxy sends it elsewhere; nginx has left the instance out since the first error.
    status, name = case.request("POST", PATHS[0])
    require(status == 200 and name in others, f"a POST after the kill: {status} of {name}")
    require(time.monotonic() - start < 2, f"two requests after the kill took {time.monotonic() - start:.1f} s")
    compare(before, case.places(), lost.name, others, "after the kill")
    if case.proxy == "haproxy":
        until(lambda: case.is_taken_out(lost), "the instance is taken out")
        compare(before, case.places(), lost.name, others, "taken out")
    lost.start()
    until(lambda: case.get(PATHS[0])[1] == lost.name, "an instance that is back gets its paths")
    require(case.places() == before, "the paths are not where they were before")


def removed_instance(case):
    """An instance is deleted from the configuration, each of the three in turn."""
    before = case.places()
    for gone in case.stubs:
        line = re.search(rf"\n *server [^\n]*127\.0\.0\.1:{gone.port}\b[^\n]*", case.configuration()).group()
        case.stop()
        case.start([(line.replace(str(gone.port), str(7381 + case.stubs.index(gone))), "")])
        others = [stub.name for stub in case.stubs if stub is not gone]
        compare(before, case.places(), gone.name, others, f"without {gone.name}")


def other_instance_after_503(case):
    """For requests that change nothing."""
    first = case.chosen(PATHS[0])
    first.mode = "503"
    for method in ("GET", "HEAD"):
        first.requests.clear()
        status, name = case.request(method, PATHS[0])
        require(status == 200 and name != first.name, f"{method} after 503: {status} of {name}")
        case.stop()
        case.start()


def all_answer_503(case):
    """Then a client gets 503, and not an error of the proxy, however often it asks."""
    for stub in case.stubs:
        stub.mode = "503"
    answers = [case.get(path) for path in PATHS[:10]]
    require(all(status == 503 and name for status, name in answers), f"with three full instances: {answers}")
    for stub in case.stubs:
        stub.mode = ""
    until(lambda: case.get(PATHS[0])[0] == 200, "they are used again", 8)


def changes_are_sent_once(case):
    """What changes data is not repeated, neither after 503 nor after a connection that broke."""
    for method in ("POST", "DELETE"):
        for mode, answers in (("503", {503}), ("break", {502})):
            first = case.chosen(PATHS[0])
            first.mode = mode
            status, _ = case.request(method, PATHS[0])
            count = case.repeats(method, PATHS[0])
            require(count == 1, f"{method} ({mode}) was sent {count} times")
            require(status in answers, f"{method} ({mode}): {status}")
            first.mode = ""
            for stub in case.stubs:
                stub.requests.clear()
            case.stop()
            case.start()
    # Nothing is sent on a connection that is refused.
    lost = case.chosen(PATHS[0])
    lost.stop()
    status, name = case.request("POST", PATHS[0])
    expected = (502, False) if case.proxy == "nginx" else (200, True)
    require((status, name is not None) == expected, f"POST on a refused connection: {status} of {name}")


def broken_connection(case):
    first = case.chosen(PATHS[0])
    first.mode = "break"
    status, name = case.get(PATHS[0])
    require(status == 200 and name != first.name, f"GET on a connection that breaks: {status} of {name}")


def unready_instance(case):
    """HAProxy asks /readyz: an instance that is not ready gets nothing, although it would answer. nginx does not ask."""
    first = case.chosen(PATHS[0])
    first.ready = False
    until(lambda: case.is_taken_out(first), "an instance with 503 at /readyz is taken out")
    first.requests.clear()
    require(first.name not in shares(case.places()), "an instance that is not ready gets requests")
    first.ready = True
    until(lambda: case.get(PATHS[0])[1] == first.name, "it is used again")


def health_is_hidden(case):
    for path in ("/healthz", "/readyz", "/metrics"):
        status, name = case.get(path)
        require(status == 404 and name is None, f"{path}: {status} of {name}")


def event_stream(case):
    """A connection with its first bytes: the head, and the first event if it comes within two seconds."""
    connection = socket.create_connection(("127.0.0.1", case.port), timeout=5)
    connection.sendall(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    end, text = time.monotonic() + 2, b""
    while b"data: first" not in text and time.monotonic() < end:
        if select.select([connection], [], [], 0.1)[0]:
            part = connection.recv(4_096)
            if not part:
                break
            text += part
    return connection, text


def events_are_not_buffered(case):
    connection, text = event_stream(case)
    with contextlib.closing(connection):
        require(b" 200 " in text and b"data: first" in text, "no event came before the end of the response")


def streams_go_where_there_are_fewest(case):
    opened = {}
    try:
        for _ in range(6):
            connection, text = event_stream(case)
            found = re.search(rb"X-Stub: (\S+)", text, re.I)
            require(found, "a stream did not begin")
            opened[connection] = found.group(1).decode()
        require(sorted(shares(opened).values()) == [2, 2, 2], f"six streams: {shares(opened)}")
        left = case.stubs[0]
        for connection in [each for each, name in opened.items() if name == left.name]:
            connection.close()
            del opened[connection]
        until(lambda: left.streams == 0, "the proxy ends the streams of clients that left")
        for _ in range(2):
            connection, text = event_stream(case)
            opened[connection] = re.search(rb"X-Stub: (\S+)", text, re.I).group(1).decode()
        require(sorted(shares(opened).values()) == [2, 2, 2], f"after two ended, and two began: {shares(opened)}")
    finally:
        for connection in opened:
            connection.close()


# For each check: replacements that make it fail, each alone, for nginx and for HAProxy.
CHECKS = {
    one_path_one_instance: {
        "nginx": [("    hash $uri consistent;\n", "")],
        "haproxy": [("    balance uri path-only\n", "")]},
    queries_do_not_count: {
        "nginx": [("hash $uri", "hash $request_uri")],
        "haproxy": [("path-only", "whole")]},
    lost_instance: {
        "nginx": [("proxy_next_upstream error timeout;", "proxy_next_upstream off;")],
        "haproxy": [("    hash-type consistent\n", ""), ("conn-failure ", "")]},
    removed_instance: {
        "nginx": [(" consistent;", ";")],
        "haproxy": [("    hash-type consistent\n", ""), (" id ", " # "), (" weight 100", "")]},
    other_instance_after_503: {
        "nginx": [("        error_page 503 = @others;\n", ""), ("timeout http_503;\n        proxy_pass http://tondo_any",
                                                              "timeout;\n        proxy_pass http://tondo")],
        "haproxy": [("empty-response 503", "empty-response")]},
    all_answer_503: {
        "nginx": [("max_fails=0", "max_fails=1 fail_timeout=5s"), ("error timeout;", "error timeout http_503;")],
        "haproxy": [("observe layer4 on-error fastinter", "observe layer7 error-limit 1 on-error mark-down")]},
    changes_are_sent_once: {
        "nginx": [("^(GET|HEAD)$", "."), ("^(GET|HEAD)$", "^(GET|HEAD|DELETE)$"),
                  ("proxy_next_upstream off;", "proxy_next_upstream error timeout http_503 non_idempotent;")],
        "haproxy": [("    http-request disable-l7-retry if !METH_GET !{ method HEAD }\n", ""),
                    ("!METH_GET !{", "!METH_GET !METH_POST !{")]},
    broken_connection: {
        "nginx": [("proxy_next_upstream error timeout;", "proxy_next_upstream off;")],
        "haproxy": [(" empty-response", "")]},
    unready_instance: {
        "haproxy": [("    option httpchk\n", "")]},
    health_is_hidden: {
        "nginx": [("healthz|readyz|metrics", "none")],
        "haproxy": [("    http-request deny deny_status 404 if { path /healthz /readyz /metrics }\n", "")]},
    events_are_not_buffered: {
        "nginx": [("proxy_buffering off;", "proxy_buffering on;")],
        "haproxy": [("    balance leastconn\n", "    balance leastconn\n    http-response wait-for-body time 30s\n")]},
    streams_go_where_there_are_fewest: {
        "nginx": [("    least_conn;\n", "")],
        "haproxy": [("balance leastconn", "balance roundrobin"), ("    option abortonclose\n", "")]},
}


def run(check, proxy, faults=()):
    """What went wrong, or nothing."""
    try:
        with Case(proxy, faults) as case:
            check(case)
    except (Failed, OSError, http.client.HTTPException) as error:
        return str(error) or type(error).__name__
    return None


def find(check, proxy, fault):
    """What a check finds of a fault, in three tries: HAProxy sends a request again only if it had all of it at once, which
    depends on how its packets came."""
    return next(filter(None, (run(check, proxy, [fault]) for _ in range(3))), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--proxy", choices=PROXIES, help="this one alone")
    parser.add_argument("--only", help="the checks with this in their name")
    parser.add_argument("--self-test", action="store_true", help="whether each check fails with a wrong configuration")
    options = parser.parse_args()
    proxies = (options.proxy,) if options.proxy else PROXIES
    for name in proxies:
        if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin"):
            print(f"proxies: {name} is not installed", file=sys.stderr)
            sys.exit(69)
    os.environ["PATH"] += ":/usr/sbin"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    todo = [(check, proxy, fault) for proxy in proxies for check, faults in CHECKS.items() if proxy in faults
            if (options.only or "") in check.__name__ for fault in (faults[proxy] if options.self_test else [None])]
    bad, start = 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        results = pool.map(lambda each: find(*each) if each[2] else run(each[0], each[1]), todo)
        for (check, proxy, fault), problem in zip(todo, results):
            name = f"{proxy}: {check.__name__.replace('_', ' ')}"
            if fault:
                print(f"found with {fault!r}: {name}: {problem}" if problem else f"FAILED: not found with {fault!r}: {name}")
            else:
                print(f"FAILED: {name}: {problem}" if problem else f"passed: {name}")
            bad += bool(problem) != bool(fault)
    print(f"proxies: {len(todo) - bad} of {len(todo)} {'faults were found' if options.self_test else 'checks passed'} "
          f"in {time.monotonic() - start:.0f} s")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
