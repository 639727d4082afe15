#!/usr/bin/python3
"""Tries `tondo sync` on books of the desktop: a real Evolution Data Server on a session bus of its own, servers that misbehave, and
databases with Thunderbird's schema.

usage: books.py [--programs FOLDER] [--check] [WORD...]

WORD is a part of the name of a test: those run, else all. --check says why it cannot run here, if so. Each test has a home folder
and a bus of its own.
"""
import argparse
import base64
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SERVER = "org.gnome.evolution.dataserver."
FACTORY = "/org/gnome/evolution/dataserver/AddressBookFactory"
SERVICES = Path("/usr/share/dbus-1/services")
# Version 4, as Thunderbird 102 and later make it.
SCHEMA = """
    PRAGMA journal_mode = WAL; PRAGMA user_version = 4;
    CREATE TABLE properties (card TEXT, name TEXT, value TEXT);
    CREATE TABLE lists (uid TEXT PRIMARY KEY, name TEXT, nickName TEXT, description TEXT);
    CREATE TABLE list_cards (list TEXT, card TEXT, PRIMARY KEY(list, card));
    CREATE INDEX properties_card ON properties(card); CREATE INDEX properties_name ON properties(name);
"""
JPEG = (ROOT / "assets/samples/ada.jpg").read_bytes()

try:
    import gi
    from gi.repository import Gio, GLib
    MISSING = None
except ImportError as error:
    MISSING = f"{error}: apt-get install python3-gi"


def reason():
    if MISSING:
        return MISSING
    if not shutil.which("dbus-run-session"):
        return "dbus-run-session is not installed"
    return None if list(SERVICES.glob(SERVER + "AddressBook*.service")) else "evolution-data-server is not installed"


def wait(condition, seconds=60):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)
    return value


def card(name, *lines, version="3.0"):
    words = [f"EMAIL:{name.split()[0].lower()}@example.org", *lines]
    return "\r\n".join(["BEGIN:VCARD", f"VERSION:{version}", f"FN:{name}", *words, "END:VCARD", ""])


def photo_line(data=JPEG):
    return "PHOTO;ENCODING=b;TYPE=JPEG:" + base64.b64encode(data).decode()


class Desk:
    """A home folder, and the session bus of this process."""

    def __init__(self, programs):
        self.programs, self.home = programs, Path(os.environ["HOME"])
        self.profile = self.home / ".thunderbird/x.default"
        self.processes = []

    def tondo(self, *words, **environment):
        return subprocess.run([self.programs / "tondo", *words], env=dict(os.environ, **environment), capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)

    def start(self, *words, **environment):
        process = subprocess.Popen(words, env=dict(os.environ, **environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.processes.append(process)
        return process

    def source(self, name, url, *more):
        folder = self.home / ".config/tondo"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "tondo.sync.toml", "a") as file:
            file.write("\n".join([f"[sync.{name}]", f"url = '{url}'", *more, ""]))

    def sync(self, name, *words, **environment):
        """The JSON of a run: its counts, and the error."""
        done = self.tondo("sync", name, "--json", *words, **environment)
        assert done.stdout, done
        report = json.loads(done.stdout)
        assert done.returncode == (1 if "error" in report or report["status"]["failed"] else 0), done
        return {**report["status"], "error": report.get("error"), "text": done.stderr}

    def fails(self, name, code, *words, **environment):
        """A run that fails deletes and changes nothing, and says why."""
        before = self.cards(name)
        result = self.sync(name, **environment)
        assert result["error"] and result["error"]["code"] == code, result
        for word in words:
            assert word in result["error"]["message"], (word, result["error"])
        assert self.cards(name) == before and result["removed"] == result["withheld"] == 0

    def mirror(self, name):
        return self.home / f".local/state/tondo/sync/{name}"

    def cards(self, name):
        """The cards by the names of their contacts."""
        found = {}
        for path in self.mirror(name).glob("cards/*.vcf"):
            text = path.read_bytes().decode(errors="replace").replace("\r\n ", "")
            found[next(line[3:] for line in text.splitlines() if line.startswith("FN:"))] = text
        return found

    def avatar(self, mail):
        done = self.tondo("avatar", mail)
        assert done.returncode == 0, done
        assert Path(done.stdout.strip()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        return Path(done.stdout.strip())

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()


# Evolution


class Evolution:
    """The real server, by its D-Bus interface."""

    def __init__(self):
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        names = self.ask("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ListActivatableNames", None)[0]
        self.name = next(name for name in names if name.startswith(SERVER + "AddressBook"))
        self.registry = next(name for name in names if name.startswith(SERVER + "Sources"))

    def ask(self, name, path, interface, method, words):
        return self.bus.call_sync(name, path, interface, method, words, None, 0, 60_000).unpack()

    def open(self, uid):
        path, name = self.ask(self.name, FACTORY, SERVER + "AddressBookFactory", "OpenAddressBook", GLib.Variant("(s)", (uid,)))
        self.call = lambda method, signature, *words: self.ask(
            name, path, SERVER + "AddressBook", method, GLib.Variant(signature, words) if signature else None)
        self.call("Open", None)
        return self

    def add(self, *cards):
        return self.call("CreateContacts", "(asu)", cards, 0)[0]

    def remove_source(self, uid):
        manager = "/org/gnome/evolution/dataserver/SourceManager"
        objects = self.ask(self.registry, manager, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", None)[0]
        path = next(path for path, parts in objects.items() if parts.get(SERVER + "Source", {}).get("UID") == uid)
        self.ask(self.registry, path, SERVER + "Source.Removable", "Remove", None)


def evolution_contacts_are_mirrored_with_their_photos(desk):
    """The server keeps photos in files of its own, which the cards name. Contact lists are no contacts."""
    book = Evolution().open("system-address-book")
    ada, *_ = book.add(card("Ada Okafor", photo_line()), card("Bo Berg", "TEL:+49 176 1234567"), card("All", "X-EVOLUTION-LIST:TRUE"))
    assert "file:///" in book.call("GetContact", "(s)", ada)[0].replace("\r\n ", "")
    found = json.loads(desk.tondo("sync", "discover", "--json").stdout)["databases"]
    assert [(one["url"], one["source"]) for one in found] == [("evolution:system-address-book", "evolution")], found
    assert desk.tondo("sync", "discover", "--yes").returncode == 0
    assert "Evolution\tconfigured" in desk.tondo("sync", "discover").stdout
    result = desk.sync("evolution")
    assert result["added"] == 2 and not result["text"], result
    cards = desk.cards("evolution")
    assert set(cards) == {"Ada Okafor", "Bo Berg"} and base64.b64encode(JPEG).decode() in cards["Ada Okafor"], set(cards)
    assert desk.avatar("ada@example.org") != desk.avatar("bo@example.org")
    before = {path: path.stat().st_mtime_ns for path in [*desk.mirror("evolution").glob("cards/*"), desk.mirror("evolution") / "state"]}
    assert (result := desk.sync("evolution"))["changed"] == 0 and result["contacts"] == 2, result
    assert before == {path: path.stat().st_mtime_ns for path in before}
    book.call("ModifyContacts", "(asu)", [book.call("GetContact", "(s)", ada)[0].replace("Okafor", "Obi")], 0)
    assert desk.sync("evolution")["changed"] == 1 and "Ada Obi" in desk.cards("evolution")
    book.call("RemoveContacts", "(asu)", [ada], 0)
    assert desk.sync("evolution")["removed"] == 1 and len(list(desk.mirror("evolution").glob("trash/*/*.vcf"))) == 1
    assert "1 contact, synchronised" in desk.tondo("sync", "status").stdout
    assert desk.tondo("sync", "remove", "evolution", "--delete-mirror").returncode == 0 and not desk.mirror("evolution").exists()


def an_evolution_book_that_is_gone_deletes_nothing(desk):
    folder = desk.home / ".config/evolution/sources"
    folder.mkdir(parents=True)
    (folder / "friends.source").write_text(
        "[Data Source]\nDisplayName=Friends\nEnabled=true\nParent=local-stub\n\n[Address Book]\nBackendName=local\n")
    server = Evolution()
    server.open("friends").add(card("Ada Okafor"))
    added = desk.tondo("sync", "add", "friends", "evolution:friends")
    assert added.returncode == 0 and "found 1 contact\n" in added.stdout, added
    assert desk.sync("friends")["added"] == 1
    server.remove_source("friends")
    desk.fails("friends", "evolution-refused", "friends")
    missing = desk.tondo("sync", "add", "other", "evolution:nowhere")
    assert missing.returncode == 1 and "nowhere" in missing.stderr and "nothing was added" in missing.stderr, missing


def fake_bus(desk, *words):
    """A bus that starts nothing, with a server of this script on it. Returns its environment."""
    config = desk.home / "bus.conf"
    config.write_text("<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><policy context='default'>"
                      "<allow send_destination='*'/><allow receive_sender='*'/><allow own='*'/></policy>" + "".join(
                          # As those of a session.
                          f"<limit name='max_{name}'>1000000000</limit>" for name in ("incoming_bytes", "outgoing_bytes", "message_size"))
                      + "</busconfig>")
    bus = desk.start("dbus-daemon", f"--config-file={config}", "--nofork", "--print-address")
    environment = {"DBUS_SESSION_BUS_ADDRESS": bus.stdout.readline().strip()}
    if words:
        server = desk.start(__file__, "--serve", *words, **environment)
        assert server.stdout.readline() == "ready\n"
    return environment


def serve(mode, folder):
    """A server that answers with the cards in a file, refuses, or never answers. Of two versions, the newer one answers."""
    text = """<node><interface name='%sAddressBookFactory'><method name='OpenAddressBook'><arg type='s' direction='in'/>
        <arg type='s' direction='out'/><arg type='s' direction='out'/></method></interface><interface name='%sAddressBook'>
        <method name='Open'><arg type='as' direction='out'/></method><method name='GetContactListUids'>
        <arg type='s' direction='in'/><arg type='as' direction='out'/></method><method name='GetContactList'>
        <arg type='s' direction='in'/><arg type='as' direction='out'/></method></interface></node>""" % (SERVER, SERVER)

    def answer(bus, sender, path, interface, method, words, invocation):
        if mode == "silent":
            return
        if method == "OpenAddressBook":
            invocation.return_value(GLib.Variant("(ss)", ("/book", bus.get_unique_name())))
        elif method == "Open":
            invocation.return_value(GLib.Variant("(as)", ([],)))
        elif (folder / "refuse").exists():
            invocation.return_dbus_error("org.example.Broken", "The book is broken.")
        elif (folder / "die").exists():
            os._exit(0)
        else:
            cards = json.loads((folder / "cards.json").read_text())
            if method == "GetContactListUids":
                cards = [f'u"\\{number}' for number in range(len(cards))]
            else:
                numbers = re.findall(r'\(is "id" "u\\"\\\\(\d+)"\)', words.unpack()[0])
                cards = [cards[int(number)] for number in numbers][(folder / "short").exists():]
            invocation.return_value(GLib.Variant("(as)", (cards,)))

    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    for interface, path in zip(Gio.DBusNodeInfo.new_for_xml(text).interfaces, (FACTORY, "/book")):
        bus.register_object(path, interface, answer, None, None)
    for name in "AddressBook12", "AddressBookx99", "AddressBook":
        bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName",
                      GLib.Variant("(su)", (SERVER + name, 0)), None, 0, -1)
    print("ready", flush=True)
    GLib.MainLoop().run()


def evolution_that_is_not_there_is_named(desk):
    desk.source("gnome", "evolution:system-address-book")
    desk.fails("gnome", "evolution-not-installed", "the Debian package is evolution-data-server", **fake_bus(desk))
    for address in "unix:path=/nonexistent", "nonsense":
        desk.fails("gnome", "evolution-no-bus", "no session bus", DBUS_SESSION_BUS_ADDRESS=address)


def servers_without_an_answer_end_by_a_deadline_or_a_signal(desk):
    """A server that never replies, and a bus that never does."""
    desk.source("gnome", "evolution:book")
    silent = fake_bus(desk, "silent", desk.home)
    mute = socket.socket(socket.AF_UNIX)
    mute.bind(str(desk.home / "mute"))
    mute.listen()
    environments = [silent, {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={desk.home}/mute"}]
    lock = desk.mirror("gnome") / "lock"
    for environment in environments:
        lock.unlink(missing_ok=True)
        process = desk.start(desk.programs / "tondo", "sync", "gnome", **environment)
        # It takes signals since its start, before the lock.
        wait(lock.exists)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130, process.stderr.read()
    for number, environment in enumerate(environments):
        desk.source(f"gnome{number}", "evolution:book")
    processes = [desk.start(desk.programs / "tondo", "sync", f"gnome{number}", "--json", **environment)
                 for number, environment in enumerate(environments)]
    for process in processes:
        assert process.wait(120) == 1 and json.loads(process.stdout.read())["error"]["code"] == "evolution-timeout"


def hostile_cards_of_evolution_cost_themselves_alone(desk):
    """Photos: regular files with pictures, of a bounded size, and no links. Nothing else gets into the mirror."""
    photos = Path(os.environ["XDG_DATA_HOME"]) / "evolution/photos"
    photos.mkdir(parents=True)
    (photos / "photo x.jpg").write_bytes(JPEG)
    (photos / "secret").write_text("password")
    (photos / "large.jpg").write_bytes(JPEG + bytes(5_000_000))
    (photos / "link.jpg").symlink_to(photos / "photo x.jpg")
    os.mkfifo(photos / "pipe")
    (desk.home / "own.jpg").write_bytes(JPEG)
    names = [f"{photos}/{name}" for name in ("photo%20x.jpg", "secret", "large.jpg", "link.jpg", "pipe", "missing.jpg", "", "%00")]
    names += [f"{desk.home}/own.jpg"]
    cards = [card(f"P{number} X", f"UID:p{number}", f"PHOTO;VALUE=uri:file://{name}") for number, name in enumerate(names)]
    cards += ["", "nonsense", "BEGIN:VCARD\r\n", card("No Uid"), card("X" * 100_000 + " Y"), card("Ümit ☃", "UID:../../x"),
              card("Web Photo", "UID:w", "PHOTO;VALUE=uri:http://127.0.0.1/x.jpg")]
    (desk.home / "cards.json").write_text(json.dumps(cards))
    bus = fake_bus(desk, "cards", desk.home)
    desk.source("gnome", "evolution:book")
    result = desk.sync("gnome", **bus)
    assert result["added"] == len(cards) - 3 and result["failed"] == 3, result
    assert [one["code"] for one in result["missing"]] == ["unreadable"] * 3
    assert "8 photos cannot be read" in result["text"] and "no picture" in result["text"], result["text"]
    text = "".join(desk.cards("gnome").values())
    assert text.count(base64.b64encode(JPEG[:300]).decode()) == 1 and base64.b64encode(b"password").decode()[:10] not in text
    assert all(path.parent.name == "cards" for path in desk.mirror("gnome").rglob("*.vcf"))
    (desk.home / "refuse").touch()
    desk.fails("gnome", "evolution-refused", "The book is broken.", **bus)
    (desk.home / "refuse").unlink()
    (desk.home / "short").touch()
    desk.fails("gnome", "evolution-changing", **bus)
    (desk.home / "short").unlink()
    (desk.home / "cards.json").write_text("[]")
    count = result["added"]
    assert (result := desk.sync("gnome", **bus))["withheld"] == count and result["contacts"] == count, result
    (desk.home / "die").touch()
    desk.fails("gnome", "evolution-refused", **bus)


def a_run_that_is_killed_goes_on(desk):
    many = [card(f"P{number} X", f"UID:p{number}", photo_line(JPEG[:20_000])) for number in range(1_500)]
    (desk.home / "cards.json").write_text(json.dumps(many))
    bus = fake_bus(desk, "cards", desk.home)
    desk.source("gnome", "evolution:book")
    for least in 1, 300, 700:
        process = desk.start(desk.programs / "tondo", "sync", "gnome", **bus)
        wait(lambda: len(list(desk.mirror("gnome").glob("cards/*.vcf"))) >= least or process.poll() is not None)
        assert process.poll() is None or least > 1, process.stderr.read()
        process.kill()
        process.wait()
    result = desk.sync("gnome", **bus)
    assert result["contacts"] == 1_500 == len(list(desk.mirror("gnome").glob("cards/*.vcf"))), result
    assert not result.get("foreign") and not list((desk.mirror("gnome") / "tmp").iterdir()), result


# Thunderbird


def make_book(desk, *rows, name="abook.sqlite", schema=SCHEMA):
    """Rows of properties; the writer, with all of them committed to the log alone."""
    desk.profile.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(desk.profile / name, isolation_level=None)
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.executescript(schema)
    database.executemany("INSERT INTO properties VALUES (?, ?, ?)", rows)
    return database


def people(*numbers):
    return [(f"id{number}", "_vCard", card(f"P{number} X", f"UID:id{number}", version="4.0")) for number in numbers]


def configure(desk, name="mail", book="abook.sqlite"):
    desk.source(name, f"thunderbird:~/.thunderbird/x.default/{book}")


def thunderbird_contacts_are_mirrored(desk):
    """vCards, the properties of earlier versions, photos in files; no lists, and no collected addresses without being asked."""
    picture = "PHOTO:data:image/jpeg;base64\\," + base64.b64encode(JPEG).decode()
    database = make_book(
        desk, ("a", "_vCard", card("Ada Okafor", "UID:a", picture, version="4.0")), ("a", "PhotoName", "bo.jpg"), ("a", "DisplayName", "-"),
        ("b", "_vCard", card("Bo Berg", "UID:b", version="4.0")), ("b", "PhotoName", "bo.jpg"),
        ("c", "FirstName", "Cy"), ("c", "LastName", "Old; \\ x"), ("c", "PrimaryEmail", "cy@example.org"), ("c", "BirthMonth", "7"),
        ("c", "BirthDay", "9"), ("c", "HomeCity", "Rome"), ("c", "CellularNumber", "+49 1"), ("c", "Notes", "one\ntwo"),
        ("d", "PrimaryEmail", "d@example.org"), ("e", "_vCard", "nonsense"), ("e", "DisplayName", "Eve"),
        ("f", "PopularityIndex", "1"), ("g", "DisplayName", "A list"))
    database.execute("INSERT INTO lists VALUES ('g', 'A list', '', '')")
    make_book(desk, *people(1), name="history.sqlite").close()
    make_book(desk, *people(2), name="abook-1.sqlite").close()
    (desk.profile / "Photos").mkdir()
    (desk.profile / "Photos/bo.jpg").write_bytes((ROOT / "assets/samples/bo.jpg").read_bytes())
    assert desk.tondo("sync", "discover", "--yes").returncode == 0
    listed = desk.tondo("sync", "discover").stdout
    assert listed.count("Thunderbird\tconfigured") == 2 and "history.sqlite\tThunderbird\tneeds 'tondo sync add'" in listed, listed
    before = sorted(os.listdir(desk.profile))
    result = desk.sync("thunderbird")
    assert result["added"] == 5 and not result["text"] and desk.sync("thunderbird-2")["added"] == 1, result
    assert sorted(os.listdir(desk.profile)) == before, "nothing is written beside the book"
    cards = desk.cards("thunderbird")
    assert set(cards) == {"Ada Okafor", "Bo Berg", "Cy Old\\; \\\\ x", "d@example.org", "Eve"}, set(cards)
    for line in "BDAY:--0709", "ADR;TYPE=home:;;;Rome;;;", "TEL;TYPE=cell:+49 1", "NOTE:one\\ntwo", "UID:c":
        assert line in cards["Cy Old\\; \\\\ x"].splitlines(), cards
    assert cards["Ada Okafor"].count("PHOTO") == 1 and "PHOTO:data:image/jpeg;base64,/9j/" in cards["Bo Berg"]
    assert len({desk.avatar(f"{name}@example.org") for name in ("ada", "bo", "cy")}) == 3
    assert desk.sync("thunderbird")["changed"] == 0
    database.execute("DELETE FROM properties WHERE card = 'd'")
    database.execute("UPDATE properties SET value = 'Evi' WHERE value = 'Eve'")
    result = desk.sync("thunderbird")
    assert (result["changed"], result["removed"]) == (1, 1), result


def a_book_that_thunderbird_has_locked_is_read(desk):
    """Thunderbird locks its books for as long as it runs. What it has not committed is not read."""
    database = make_book(desk, *people(1, 2))
    database.close()
    database = sqlite3.connect(f"file:{desk.profile}/abook.sqlite?vfs=unix-excl", uri=True, isolation_level=None)
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("PRAGMA cache_size = 1")
    database.executemany("INSERT INTO properties VALUES (?, ?, ?)", people(3))
    database.execute("BEGIN EXCLUSIVE")
    database.executemany("INSERT INTO properties VALUES (?, ?, ?)", people(*range(4, 500)))
    try:
        sqlite3.connect(f"file:{desk.profile}/abook.sqlite?mode=ro", uri=True, timeout=0).execute("SELECT * FROM properties")
        raise AssertionError("the book is not locked")
    except sqlite3.OperationalError as error:
        assert "locked" in str(error), error
    configure(desk)
    assert desk.sync("mail")["contacts"] == 3
    database.execute("COMMIT")
    assert desk.sync("mail")["contacts"] == 499


def a_rollback_journal_is_applied(desk):
    """A book without a log, in the middle of a transaction that has reached the file."""
    database = make_book(desk, *people(1, 2), schema=SCHEMA.replace("WAL", "DELETE"))
    database.execute("PRAGMA cache_size = 1")
    database.execute("BEGIN EXCLUSIVE")
    database.execute("DELETE FROM properties")
    database.executemany("INSERT INTO properties VALUES (?, ?, ?)", people(*range(3, 2_000)))
    assert (desk.profile / "abook.sqlite-journal").stat().st_size
    configure(desk)
    desk.sync("mail")
    assert set(desk.cards("mail")) == {"P1 X", "P2 X"}


def books_that_are_none_change_nothing(desk):
    """Foreign tables, views, damage, other files, and none: each is an error with the path, and all cards stay."""
    configure(desk)
    book = desk.profile / "abook.sqlite"
    database = make_book(desk, *people(*range(60)))
    assert desk.sync("mail")["added"] == 60
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    good = book.read_bytes()
    foreign = ["CREATE TABLE properties (card TEXT, name TEXT)", "CREATE TABLE other (x)",
               "CREATE TABLE p (card, name, value); CREATE TABLE lists (uid); CREATE VIEW properties AS SELECT * FROM p",
               "CREATE TABLE properties (card, name, value)", "CREATE TABLE lists (uid); CREATE VIRTUAL TABLE properties USING fts5(card, name, value)"]
    for text in foreign:
        book.unlink()
        database = sqlite3.connect(book)
        database.executescript(text)
        database.close()
        desk.fails("mail", "thunderbird-schema", str(book), "missing")
    page = 4096
    middle = bytearray(good)
    middle[2 * page:3 * page] = bytes([0xFF]) * page
    for damaged in b"text", b"", good[:-page], good[:page], bytes(middle), good[:20] + bytes(80) + good[100:]:
        book.write_bytes(damaged)
        desk.fails("mail", "thunderbird-schema" if damaged == b"" else "thunderbird-damaged", str(book))
    for make in (lambda: None), book.mkdir, (lambda: os.mkfifo(book)), (lambda: book.symlink_to(book)):
        shutil.rmtree(book) if book.is_dir() else book.unlink(missing_ok=True)
        make()
        desk.fails("mail", "thunderbird-unreadable", str(book))
    book.unlink()
    with open(book, "wb") as file:
        file.truncate(2 << 30)
    desk.fails("mail", "thunderbird-unreadable", "too large")
    book.write_bytes(good)
    (desk.mirror("mail") / "tmp/book.sqlite-wal").write_text("left behind by a killed run")
    assert desk.sync("mail")["contacts"] == 60 and not list((desk.mirror("mail") / "tmp").iterdir())


def an_emptied_book_empties_the_mirror_with_the_second_run(desk):
    database = make_book(desk, *people(*range(30)))
    configure(desk)
    assert desk.sync("mail", "--dry-run")["added"] == 30 and not desk.mirror("mail").exists()
    desk.sync("mail")
    database.execute("DELETE FROM properties")
    assert (result := desk.sync("mail"))["withheld"] == 30 and len(desk.cards("mail")) == 30, result
    assert desk.sync("mail")["removed"] == 30 and not desk.cards("mail")


def large_and_broken_values_cost_their_card(desk):
    """A card of 17 MB is named as missing; bytes that are no UTF-8 are read; a value beyond all bounds is an error."""
    database = make_book(desk, *people(1, 2))
    configure(desk)
    desk.sync("mail")
    update = lambda id, value, name="_vCard": database.execute(
        "INSERT INTO properties VALUES (?, ?, CAST(? AS TEXT))", (id, name, value))
    update("large", card("Large One", "UID:large", "NOTE:" + "x" * 5_000_000, version="4.0"))
    update("larger", card("Larger One", "UID:larger", "NOTE:" + "x" * 10_000_000, version="4.0"))
    update("huge", b"BEGIN:VCARD\r\n" + b"x" * 17_000_000)
    update("note", b"x" * 10_000_000, "Notes")
    update("note", "Nora", "DisplayName")
    update("latin", card("Ren\xe9 L", "UID:l").encode("latin-1"))
    update("latin2", "Ren\xe9 M".encode("latin-1"), "DisplayName")
    update(b"\xff\xfe", "Odd Id", "DisplayName")
    database.execute("INSERT INTO properties VALUES (NULL, '_vCard', 'x'), ('n', '_vCard', NULL), (7, 'DisplayName', 8)")
    result = desk.sync("mail")
    reasons = {one["card"]: one["reason"] for one in result["missing"]}
    assert reasons == {"huge": "it has more than 16 MB", "larger": "a field of 10000000 bytes; the limit is 8388608"}, result
    names = set(desk.cards("mail"))
    assert {"P1 X", "P2 X", "Large One", "Nora", "Odd Id", "8"} <= names and len(names) == 8, names
    database.execute("INSERT INTO properties VALUES ('z', '_vCard', CAST(zeroblob(70000000) AS TEXT))")
    desk.fails("mail", "thunderbird-damaged", "too big")


def photo_names_lead_nowhere_else(desk):
    names = ["../bo.jpg", "..", ".", "a/b.jpg", "/etc/passwd", "missing.jpg", "link.jpg", "text.jpg", "large.jpg", "bo.jpg/"]
    rows = people(*range(len(names))) + [(f"id{number}", "PhotoName", name) for number, name in enumerate(names)]
    make_book(desk, *rows)
    photos = desk.profile / "Photos"
    photos.mkdir()
    for path in photos / "bo.jpg", photos.parent / "bo.jpg":
        path.write_bytes(JPEG)
    (photos / "link.jpg").symlink_to("bo.jpg")
    (photos / "text.jpg").write_text("password")
    (photos / "large.jpg").write_bytes(JPEG + bytes(5_000_000))
    configure(desk)
    result = desk.sync("mail")
    assert result["added"] == len(names) and f"{len(names)} photos cannot be read: ../bo.jpg (no name of a file)" in result["text"], result
    assert not any("PHOTO" in text for text in desk.cards("mail").values())


def urls_that_name_no_book_are_refused(desk):
    for url in "evolution:", "evolution:a b", "thunderbird:", "thunderbird:abook.sqlite", "mork:x":
        added = desk.tondo("sync", "add", "new", url)
        assert added.returncode == (1 if url == "mork:x" else 64), added
    assert desk.tondo("sync", "add", "new", "evolution:x", "--user", "ada").returncode == 64
    for table in ["url = 'thunderbird:abook.sqlite'"], ["url = 'evolution:x'", "user = 'ada'"], ["url = 'evolution:x'", "writable = true"]:
        (desk.home / ".config/tondo").mkdir(parents=True, exist_ok=True)
        (desk.home / ".config/tondo/tondo.toml").write_text("\n".join(["[sync.x]", *table, ""]))
        refused = desk.tondo("sync")
        assert refused.returncode == 78 and "sync.x" in refused.stderr, refused


HELPERS = {fake_bus, make_book, configure}
TESTS = [value for value in list(globals().values())
         if getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == ("desk",) and value not in HELPERS]


def run(name, programs):
    """In a process on a bus of its own."""
    desk = Desk(programs)
    try:
        globals()[name](desk)
    finally:
        desk.end()


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--programs", type=Path, default=ROOT / ".build/debug")
    options.add_argument("--check", action="store_true")
    options.add_argument("--one", help=argparse.SUPPRESS)
    options.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    options.add_argument("words", nargs="*")
    chosen = options.parse_args()
    if reason():
        sys.exit(reason())
    if chosen.check:
        return
    if chosen.serve:
        return serve(chosen.serve[0], Path(chosen.serve[1]))
    programs = chosen.programs.resolve()
    if chosen.one:
        return run(chosen.one, programs)
    failed = 0
    for test in TESTS:
        name = test.__name__
        if chosen.words and not any(word in name for word in chosen.words):
            continue
        with tempfile.TemporaryDirectory() as home:
            environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "TONDO_", "DBUS_"))}
            command = ["timeout", "240", "dbus-run-session", "--", __file__, "--programs", programs, "--one", name]
            # The server takes the home folder of the user, not $HOME.
            environment |= {"HOME": home, **{f"XDG_{kind}_HOME": f"{home}/{folder}" for kind, folder in (
                ("DATA", ".local/share"), ("CONFIG", ".config"), ("CACHE", ".cache"), ("STATE", ".local/state"))}}
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
        print(("- " if done.returncode == 0 else "failed: ") + name.replace("_", " "), flush=True)
        if done.returncode:
            failed += 1
            print(done.stdout[-4000:] + done.stderr[-4000:])
    sys.exit(f"{failed} of the tests failed" if failed else 0)


main()
