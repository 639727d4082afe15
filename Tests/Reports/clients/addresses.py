"""Where the service listens, which names it has, what it follows without the kernel, and tags without quotation marks."""
import re
import subprocess
import sys

from support import contacts, pictures
from support.report import report
from support.service import PUBLIC, Service, avatar, card, expect_photo, md5, shows

RED, BLUE = (200, 30, 30), (30, 30, 200)
ADA = md5("ada@example.org")
LOCAL = {"Host": "localhost"}

WITHOUT_IPV6 = """
import ctypes, os, platform, struct, sys
number = {"x86_64": 41, "aarch64": 198}[platform.machine()]
# Load the number of the call; if it is socket(2), load the family; AF_INET6 has error 97, EAFNOSUPPORT.
rules = [(0x20, 0, 0, 0), (0x15, 0, 3, number), (0x20, 0, 0, 16), (0x15, 0, 1, 10), (0x06, 0, 0, 0x00050000 | 97), (0x06, 0, 0, 0x7fff0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
program = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
os.execv(sys.argv[1], sys.argv[1:])
"""


class Listening(Service):
    """A service with an address of its own."""

    def __init__(self, trial, address, program=None, settings=""):
        self.trial, self.port = trial, None
        path = trial.folder / "tondo.toml"
        path.write_text(f'hosts = ["avatars.example.org"]\n{settings}')
        self.log = open(trial.folder / "service.log", "wb")
        words = [*(program or [trial.tondo]), "serve", trial.folder / "book", "--config", path, "--listen", address]
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log, env=trial.environment, cwd=trial.folder)
        trial.at_end(self.stop)
        self.wait("the service is ready", self.is_ready)

    def is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"the service ended: {self.text()[-500:]}")
        found = re.search(r"listening on http://\S+:(\d+)/", self.text())
        self.port = int(found[1]) if found else None
        return self.port is not None and self.get("/readyz", LOCAL).status == 200


@report("https://github.com/static-web-server/static-web-server/issues/134", "https://github.com/Syncplay/syncplay/issues/271",
        "https://github.com/troglobit/merecat/issues/47",
        "The machine has no IPv6, and the service is to listen on all of its addresses.",
        right="It listens on those of IPv4.", before="wrong")
def machine_without_ipv6(trial):
    card(trial, "ada", "ada@example.org", RED)
    script = trial.folder / "without.py"
    script.write_text(WITHOUT_IPV6)
    service = Listening(trial, ":0", [sys.executable, script, trial.tondo])
    expect_photo(trial, service, avatar(ADA), RED, "127.0.0.1")


@report("https://github.com/apple/cups/issues/2622", "An asterisk stands for all addresses, as other servers have it: *:7380.",
        right="All addresses, of both versions of IP.", before="wrong")
def asterisk_for_all_addresses(trial):
    card(trial, "ada", "ada@example.org", RED)
    expect_photo(trial, Listening(trial, "*:0"), avatar(ADA), RED, "127.0.0.1")


@report("https://github.com/owncloud/client/issues/2545", "https://github.com/haiwen/seafile-client/issues/1639",
        "The name of the service has letters beyond ASCII, or is an address of IPv6.",
        right="The settings take it, and clients are let in by the name that they send: in Punycode, or with brackets.", before="wrong")
def international_names_in_the_settings(trial):
    card(trial, "ada", "ada@example.org", RED)
    for name, hosts in (("b\u00fccher.example", ["xn--bcher-kva.example", "XN--BCHER-KVA.example:443"]),
                        ("[2001:db8::7]", ["[2001:db8::7]", "[2001:DB8::7]:8080"])):
        service = Service(trial, words=["--host", name])
        for host in hosts:
            trial.expect(f"{name}: {host}", service.get(avatar(ADA), PUBLIC | {"Host": host}).status, 200)
        trial.expect(f"{name}: another", service.get(avatar(ADA), PUBLIC | {"Host": "example.net"}).status, 421)
        service.stop()


@report("https://github.com/Shopify/response_bank/pull/65", "https://github.com/ampproject/amp-wp/pull/1829",
        "https://github.com/mvslovers/mvsmf/issues/263",
        "A client, or a shell, leaves the quotation marks of a tag out.",
        right="304: it is the tag. A part of it, or another one, is none.", before="wrong")
def tags_without_quotation_marks(trial):
    card(trial, "ada", "ada@example.org", RED)
    service = Service(trial)
    tag = service.get(avatar(ADA, "s=40")).field("etag")
    bare = tag.strip('"')
    for value, status in ((bare, 304), (f"W/{bare}", 304), (f'"x", {bare}', 304), (f"x,{bare}", 304), (f"{bare}-gzip", 304),
                          (bare[:-1], 200), (bare.upper(), 200), (f'{bare}"', 200), (f"{bare} x", 200)):
        trial.expect(value, service.get(avatar(ADA, "s=40"), PUBLIC | {"If-None-Match": value}).status, status)


def limited(trial, kind):
    """`tondo` without one of the things that inotify needs."""
    script = trial.folder / f"tondo-{kind}"
    script.write_text(f'#!/bin/bash\nexec unshare -Ur bash -c \'echo 0 > /proc/sys/user/max_inotify_{kind}; exec "$@"\' _ {trial.tondo} "$@"\n')
    script.chmod(0o755)
    return script


@report("https://github.com/watchexec/watchexec/pull/93", "https://github.com/guard/guard/issues/588",
        "https://github.com/rsyslog/rsyslog/pull/6467",
        "The kernel permits no more watches, and a photo in a hidden folder is exchanged.",
        right="The new photo, and a line in the log that says why changes take a while to be seen.", before="wrong")
def hidden_photos_without_watches(trial):
    data = {color: pictures.png([[color] * 48] * 48) for color in (RED, BLUE)}
    contacts.write(trial, ".photos/ada.png", data[RED])
    contacts.write(trial, "ada.vcf", contacts.vcard("UID:ada", "FN:Ada", "EMAIL:ada@example.org", "PHOTO:.photos/ada.png"))
    tondo = trial.tondo
    for number, kind in enumerate(("instances", "watches")):
        trial.tondo = limited(trial, kind)
        service = Service(trial)
        trial.tondo = tondo
        old, new = (RED, BLUE)[number], (BLUE, RED)[number]
        expect_photo(trial, service, avatar(ADA), old, kind)
        contacts.write(trial, ".photos/ada.png", data[new])
        service.wait("the new photo is there", lambda new=new: shows(service, avatar(ADA), new))
        trial.expect(f"{kind}: lines about watches", sum("no more watches" in line for line in service.text().splitlines()), 1)
        service.stop()
