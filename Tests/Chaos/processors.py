#!/usr/bin/env python3
"""A service on machines with other numbers of processors, which a library pretends: its threads and processes keep to the bound that
docs/service.md states, SIGTERM ends it, and a limit of tasks that is too small lowers the number of jobs or ends the command.

usage: processors.py TONDO    (as root, limits of tasks are tried, too; needs cc)"""

import hashlib
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PRETEND = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int count(void) { const char *text = getenv("PRETENDED_PROCESSORS"); return text ? atoi(text) : 1; }
static int fill(size_t size, cpu_set_t *set) {
    memset(set, 0, size);
    for (int number = 0; number < count(); number++) CPU_SET_S(number, size, set);
    return 0;
}
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) { return fill(size, set); }
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) { return fill(size, set); }
int get_nprocs(void) { return count(); }
int get_nprocs_conf(void) { return count(); }
long sysconf(int name) {
    static long (*real)(int);
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return count();
    if (!real) real = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return real(name);
}
"""

# Of no other process, so that the limit of the user's tasks is the limit of the service's.
USER = 61_234


def bound(processors):
    """As docs/service.md states it, for one book."""
    return 130 + 4 + 2 * processors


class Service:
    def __init__(self, tondo, folder, library, processors, tasks=None):
        self.home = tempfile.mkdtemp(dir=folder)
        book = self.home + "/book"
        os.mkdir(book)
        for number in range(60):
            with open(f"{book}/{number}.vcf", "w") as card:
                card.write(f"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u{number}\r\nFN:Name {number}\r\nEMAIL:{number}@example.org\r\nEND:VCARD\r\n")
        environment = {"PATH": os.environ["PATH"], "HOME": self.home}
        environment |= {"LD_PRELOAD": library, "PRETENDED_PROCESSORS": str(processors)}
        if tasks:
            os.chmod(folder, 0o755)
            subprocess.run(["chown", "-R", str(USER), self.home], check=True)

        def limit():
            if tasks:
                os.setgroups([])
                os.setgid(USER)
                resource.setrlimit(resource.RLIMIT_NPROC, (tasks, tasks))
                os.setuid(USER)

        self.log = open(self.home + ".log", "w+")
        command = [tondo, "serve", book, "--listen", "127.0.0.1:0", "--cache-dir", self.home + "/cache"]
        self.process = subprocess.Popen(command, env=environment, stderr=self.log, preexec_fn=limit)

    def text(self):
        self.log.seek(0)
        return self.log.read()

    def listens(self, patience=120):
        end = time.monotonic() + patience
        while time.monotonic() < end and self.process.poll() is None:
            if "listening on http://" in self.text():
                self.port = int(self.text().split("listening on http://127.0.0.1:")[1].split("/")[0])
                return True
            time.sleep(0.05)
        return False

    def tasks(self):
        found = [self.process.pid]
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == self.process.pid:
                        found.append(int(name))
            except OSError:
                pass
        total = 0
        for process in found:
            try:
                total += len(os.listdir(f"/proc/{process}/task"))
            except OSError:
                pass
        return total

    def loops(self):
        """The event loops."""
        found = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/comm") as file:
                found += file.read().startswith("NIO-")
        return found

    def get(self, path):
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            parts = []
            while part := client.recv(1 << 20):
                parts.append(part)
        return b"".join(parts)

    def end(self):
        """Its status; None if SIGTERM does not end it."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def load(service):
    """Requests of all kinds at once; returns the most tasks that were seen."""
    paths = [f"/v1/contacts/u{number % 60}/avatar?size={20 + number}" for number in range(200)]
    paths += [f"/avatar/{hashlib.md5(f'{number}@x.org'.encode()).hexdigest()}?s=200&d=identicon" for number in range(100)]
    paths += [f"/v1/contacts?sort=family&q=name%20{number}" for number in range(50)]
    paths += ["/v1/cache", "/metrics", "/readyz", "/v1/contacts?sort=given", "/v1/groups"] * 10
    most, over = [0], threading.Event()

    def watch():
        while not over.is_set():
            most[0] = max(most[0], service.tasks())
            over.wait(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    clients = [threading.Thread(target=lambda part: [service.get(path) for path in part], args=(paths[index::40],)) for index in range(40)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    over.set()
    watcher.join()
    return most[0]


def main():
    tondo, failures = os.path.realpath(sys.argv[1]), []
    folder = tempfile.mkdtemp()
    try:
        library = folder + "/pretend.so"
        with open(folder + "/pretend.c", "w") as source:
            source.write(PRETEND)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, folder + "/pretend.c", "-ldl"], check=True)

        def check(what, holds, service):
            print("passed:" if holds else "FAILED:", what)
            if not holds:
                print(service.text())
                failures.append(what)

        for processors in [1, 64]:
            service = Service(tondo, folder, library, processors)
            check(f"{processors} processors: it listens", service.listens(), service)
            most = load(service)
            check(f"{processors} processors: {most} threads and processes, {bound(processors)} at most", most <= bound(processors), service)
            check(f"{processors} processors: {service.loops()} event loops, eight at most", service.loops() <= 8, service)
            status = service.end()
            check(f"{processors} processors: SIGTERM ends it with 0 ({status})", status == 0, service)
        if os.geteuid() == 0:
            service = Service(tondo, folder, library, 16, tasks=110)
            listens = service.listens()
            check("a small limit lowers the number of jobs", listens and "photos are drawn at once instead of 16" in service.text(), service)
            check("and it serves", listens and b" 200 " in service.get("/v1/contacts/u1/avatar?size=50")[:15], service)
            check("and SIGTERM ends it", service.end() == 0, service)
            service = Service(tondo, folder, library, 16, tasks=12)
            service.listens(20)
            check("a limit that is too small is refused by name", service.process.poll() == 71 and "TasksMax=" in service.text(), service)
            service.end()
            # Its threads are taken after the start.
            service = Service(tondo, folder, library, 64, tasks=60)
            if service.listens(20):
                thread = threading.Thread(target=service.get, args=("/readyz",), daemon=True)
                thread.start()
                thread.join(5)
            check("without threads SIGTERM ends it, too", service.end() is not None, service)
    finally:
        shutil.rmtree(folder)
    sys.exit(1 if failures else 0)


main()
