#!/usr/bin/env python3
"""Mirrors a directory of people with photos from slapd, and prints times, rates and the peak memory of `tondo sync`.

usage: ldap.py [--tondo PROGRAM] [--people 100000] [--bytes 4000] [--paged]

--paged: without synchronisation (RFC 4533), by pages and times of changes. The floor is ldapsearch(1) on the same entries.
"""
import argparse
import base64
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = "dc=example,dc=org"


def people(path, count, size):
    source = random.Random(1)
    with path.open("w") as file:
        file.write(f"dn: {BASE}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n")
        file.write(f"dn: ou=people,{BASE}\nobjectClass: organizationalUnit\nou: people\n\n")
        for number in range(count):
            photo = base64.b64encode(b"\xff\xd8\xff\xe0" + source.randbytes(size - 4)).decode()
            file.write(f"dn: uid=p{number},ou=people,{BASE}\nobjectClass: inetOrgPerson\nuid: p{number}\n"
                       f"cn: Person {number}\nsn: {number}\nmail: p{number}@example.org\njpegPhoto:: {photo}\n\n")


def server(folder, options):
    """Starts slapd on a Unix socket; returns its process and URL."""
    (folder / "data").mkdir()
    people(folder / "people.ldif", options.people, options.bytes)
    schemas = "".join(f"include /etc/ldap/schema/{name}.schema\n" for name in ("core", "cosine", "inetorgperson"))
    overlay = "" if options.paged else "overlay syncprov\nsyncprov-sessionlog 1000\nsyncprov-reloadhint TRUE\n"
    (folder / "slapd.conf").write_text(
        f"{schemas}modulepath /usr/lib/ldap\nmoduleload back_mdb\nmoduleload syncprov\nsizelimit -1\ndatabase mdb\n"
        f"suffix {BASE}\nrootdn cn=admin,{BASE}\nrootpw secret\ndirectory {folder}/data\ndbnosync\nmaxsize 40000000000\n"
        f"index objectClass,entryUUID,entryCSN,modifyTimestamp eq\n{overlay}")
    subprocess.run(["/usr/sbin/slapadd", "-q", "-f", folder / "slapd.conf", "-l", folder / "people.ldif"], check=True)
    (folder / "people.ldif").unlink()
    url = "ldapi://" + f"{folder}/socket".replace("/", "%2F")
    process = subprocess.Popen(["/usr/sbin/slapd", "-d", "0", "-h", url, "-f", folder / "slapd.conf"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for attempt in range(200):
        if subprocess.run(["ldapsearch", "-x", "-H", url, "-s", "base", "-b", ""], capture_output=True).returncode == 0:
            return process, url
        time.sleep(0.1)
    sys.exit("slapd does not start")


def measure(words):
    """Seconds, peak memory in MB, and the output."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               stdin=subprocess.DEVNULL)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{words[0]}: {text}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024, text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tondo", default=".build/release/tondo", type=Path)
    parser.add_argument("--people", default=100000, type=int)
    parser.add_argument("--bytes", default=4000, type=int)
    parser.add_argument("--paged", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process, url = server(folder, options)
        try:
            configuration = folder / "tondo.toml"
            configuration.write_text(
                f'sync-dir = "{folder}/mirrors"\n[sync.staff]\nurl = "{url}/ou=people,{BASE}"\nuser = "cn=admin,{BASE}"\n'
                f'password-file = "{folder}/secret"\n')
            (folder / "secret").write_text("secret\n")
            (folder / "secret").chmod(0o600)
            with open(os.devnull, "w") as nothing:
                start = time.perf_counter()
                subprocess.run(["ldapsearch", "-LLL", "-x", "-H", url, "-b", BASE, "-E", "pr=500/noprompt"], check=True,
                               stdout=nothing, stderr=nothing)
            print(f"{options.people} people with photos of {options.bytes} bytes: "
                  f"ldapsearch {time.perf_counter() - start:.1f} s", flush=True)
            for kind in ("first", "unchanged"):
                seconds, memory, _ = measure([options.tondo.resolve(), "sync", "--config", configuration])
                print(f"{kind} run: {seconds:.1f} s, {options.people / seconds:.0f} people/s, peak memory {memory:.0f} MB",
                      flush=True)
        finally:
            process.kill()
            process.wait()


main()
