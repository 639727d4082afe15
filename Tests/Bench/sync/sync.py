#!/usr/bin/env python3
"""Compares `tondo sync` with vdirsyncer on one Radicale with cards that hold photos: the first run and an unchanged one.

usage: sync.py [--tondo PROGRAM] [--cards 2000] [--bytes 27000] [--rounds 5] [--memory CARDS]

Runs alternate. Radicale has read all cards once before. --memory also mirrors so many cards and prints the peak memory of
tondo-sync. Needs the packages of Tests/Bench/requirements.txt.
"""
import argparse
import base64
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

BIN = Path(sys.executable).parent


def card(number, size, source):
    photo = base64.b64encode(source.randbytes(size * 3 // 4 - 300)).decode()
    lines = ["PHOTO;ENCODING=b;TYPE=JPEG:" + photo[:40]] + [" " + photo[at:at + 74] for at in range(40, len(photo), 74)]
    return "\r\n".join(["BEGIN:VCARD", "VERSION:3.0", f"UID:uid-{number}", f"FN:Person {number}",
                        f"N:{number};Person;;;", f"EMAIL:p{number}@example.org", *lines, "END:VCARD", ""])


def server(folder, count, size):
    """Starts Radicale with one book; returns its process and the port."""
    book = folder / "data/collection-root/ada/book"
    book.mkdir(parents=True)
    (book / ".Radicale.props").write_text(json.dumps({"tag": "VADDRESSBOOK"}))
    source = random.Random(1)
    for number in range(count):
        (book / f"uid-{number}.vcf").write_text(card(number, size, source), newline="")
    (folder / "users").write_text("ada:pw\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "radicale", "--config", "", "--server-hosts", f"127.0.0.1:{port}", "--auth-type", "htpasswd",
         "--auth-htpasswd-filename", folder / "users", "--auth-htpasswd-encryption", "plain",
         "--storage-filesystem-folder", folder / "data", "--server-timeout", "600", "--logging-level", "error"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    body = '<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>'
    login = base64.b64encode(b"ada:pw").decode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/ada/book/", body.encode(), {"Authorization": f"Basic {login}"},
                                     method="REPORT")
    for attempt in range(100):
        try:
            urllib.request.urlopen(request, timeout=600).read()
            return process, port
        except OSError:
            time.sleep(0.2)
    sys.exit("Radicale does not start")


def clock(words, **environment):
    start = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | environment, stdin=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{words[0]}: {done.stdout}{done.stderr}")
    return seconds, done.stdout


class Tondo:
    name = "tondo sync"

    def __init__(self, program, folder, port):
        self.folder, self.program = folder, program
        folder.mkdir()
        secret = folder / "secret"
        secret.write_text("pw\n")
        secret.chmod(0o600)
        self.configuration = folder / "tondo.toml"
        self.settings = (f'[sync.work]\nurl = "http://127.0.0.1:{port}/ada/book/"\nuser = "ada"\n'
                         f'password-file = "{secret}"\n')
        self.rounds = 0
        self.forget()

    def run(self):
        return clock([self.program, "sync", "--json", "--config", self.configuration])

    def forget(self):
        """The next run is a first one. Old mirrors stay: for seconds, ext4 looks for inodes that were not in use lately,
        which costs each new file a millisecond."""
        self.rounds += 1
        self.configuration.write_text(f'sync-dir = "{self.folder}/mirrors-{self.rounds}"\n{self.settings}')


class VDirSyncer:
    name = "vdirsyncer"

    def __init__(self, folder, port):
        self.folder = folder
        folder.mkdir()
        self.port = port
        self.rounds = 0
        self.forget()

    def run(self):
        return clock([BIN / "vdirsyncer", "sync"], VDIRSYNCER_CONFIG=str(self.folder / "config"))

    def forget(self):
        self.rounds += 1
        place = self.folder / str(self.rounds)
        (place / "cards").mkdir(parents=True)
        (self.folder / "config").write_text(
            f'[general]\nstatus_path = "{place}/status/"\n[pair p]\na = "l"\nb = "r"\ncollections = null\n'
            f'conflict_resolution = "b wins"\n[storage l]\ntype = "filesystem"\npath = "{place}/cards/"\nfileext = ".vcf"\n'
            f'[storage r]\ntype = "carddav"\nread_only = true\nurl = "http://127.0.0.1:{self.port}/ada/book/"\n'
            f'username = "ada"\npassword = "pw"\n')
        subprocess.run([BIN / "vdirsyncer", "discover"], env=os.environ | {"VDIRSYNCER_CONFIG": str(self.folder / "config")},
                       capture_output=True, input="y\n", text=True)


def compare(options, folder):
    process, port = server(folder / "server", options.cards, options.bytes)
    try:
        tools = [Tondo(options.tondo, folder / "tondo", port), VDirSyncer(folder / "vdirsyncer", port)]
        times = {(tool.name, kind): [] for tool in tools for kind in ("first", "unchanged")}
        requests = None
        for _ in range(options.rounds):
            for tool in tools:
                tool.forget()
                times[tool.name, "first"].append(tool.run()[0])
            for tool in tools:
                seconds, text = tool.run()
                times[tool.name, "unchanged"].append(seconds)
                if tool.name == Tondo.name:
                    requests = json.loads(text)["status"]["requests"]
        for kind in ("first", "unchanged"):
            ours, theirs = (statistics.median(times[name, kind]) for name in (Tondo.name, VDirSyncer.name))
            print(f"{options.cards} cards, {kind} run: tondo sync {ours:.2f} s, vdirsyncer {theirs:.2f} s, "
                  f"{theirs / ours:.1f} times as fast")
        print(f"requests of an unchanged run: {requests}")
    finally:
        process.terminate()


def memory(options, folder):
    process, port = server(folder / "large", options.memory, options.bytes)
    try:
        tool = Tondo(options.tondo, folder / "memory", port)
        for kind in ("first", "unchanged"):
            script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
                      "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
            words = [sys.executable, "-c", script, options.tondo, "sync", "--json", "--config", tool.configuration]
            seconds, text = clock(words)
            print(f"{options.memory} cards, {kind} run: {seconds:.1f} s, peak memory {int(text) / 1024:.0f} MB")
    finally:
        process.terminate()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tondo", default=".build/release/tondo", type=Path)
    parser.add_argument("--cards", default=2000, type=int)
    parser.add_argument("--bytes", default=27000, type=int)
    parser.add_argument("--rounds", default=5, type=int)
    parser.add_argument("--memory", default=0, type=int)
    options = parser.parse_args()
    options.tondo = options.tondo.resolve()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "server").mkdir()
        compare(options, Path(folder))
        if options.memory:
            (Path(folder) / "large").mkdir()
            memory(options, Path(folder))


main()
