#!/usr/bin/python3
"""Tries tondo-dbus on a session bus of its own, made by dbus-run-session: lookups, errors, changes, hostile clients, its end.

usage: bus.py [--programs FOLDER] [--check] [WORD...]

WORD is a part of the name of a test: those run, else all. --check says why it cannot run here, if so. Each test has folders, a
bus and a service of its own.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAME, PATH = "org.tondo.Avatars1", "/org/tondo/Avatars1"
ERROR = NAME + ".Error."
LIMITS = "org.freedesktop.DBus.Error.LimitsExceeded"

try:
    import dbus
    import gi
    from gi.repository import Gio, GLib
    MISSING = None
except ImportError as error:
    MISSING = f"{error}: apt-get install python3-dbus python3-gi"


def reason():
    return MISSING or (None if shutil.which("dbus-run-session") else "dbus-run-session is not installed")


def wait(condition, seconds=60):
    """Runs what arrives until the condition holds."""
    end, context = time.monotonic() + seconds, GLib.MainContext.default()
    while not (value := condition()):
        assert time.monotonic() < end, "nothing happened"
        context.iteration(False) or time.sleep(0.01)
    return value


def card(name, mail, photo="ada.jpg", tel=""):
    return f"BEGIN:VCARD\nVERSION:3.0\nUID:{mail.split('@')[0]}\nFN:{name}\nEMAIL:{mail}\n{tel}PHOTO;VALUE=uri:{photo}\nEND:VCARD\n"


class Desk:
    """A home folder with a book, and the session bus of this process."""

    def __init__(self, programs):
        self.programs, self.home = programs, Path(os.environ["HOME"])
        self.book = self.home / "book"
        shutil.copytree(ROOT / "assets/book", self.book)
        for name in "ada", "bo":
            shutil.copy(ROOT / f"assets/samples/{name}.jpg", self.book)
        self.configure(f'books = ["{self.book}"]\n')
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.changes, self.processes = [], []
        self.bus.signal_subscribe(None, NAME, "Changed", PATH, None, Gio.DBusSignalFlags.NONE,
                                  lambda *words: self.changes.append(words[5].unpack()))

    def configure(self, text):
        folder = self.home / ".config/tondo"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tondo.toml").write_text(text)

    def start(self, *words):
        """A service that the bus did not start."""
        process = subprocess.Popen([self.programs / "tondo-dbus", "--idle", "0", *words])
        self.processes.append(process)
        wait(self.owner)
        return process

    def owner(self):
        return (self.ask_bus("GetNameOwner", "(s)", NAME) or [None])[0]

    def ask_bus(self, method, signature, *words):
        try:
            return self.bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", method,
                                      GLib.Variant(signature, words), None, 0, -1).unpack()[:1]
        except GLib.Error:
            return None

    def pid(self):
        return self.ask_bus("GetConnectionUnixProcessID", "(s)", NAME)[0]

    def call(self, *words, done, bus=None, timeout=30_000):
        def ended(source, result):
            try:
                done(source.call_finish(result).unpack()[0])
            except GLib.Error as error:
                done(Gio.DBusError.get_remote_error(error) or error.message)
        (bus or self.bus).call(NAME, PATH, NAME, "Lookup", GLib.Variant("(ssuu)", words), None, 0, timeout, None, ended)

    def look_up(self, kind, value, size=96, scale=1):
        """The path, or the name of the error."""
        found = []
        self.call(kind, value, size, scale, done=found.append)
        return wait(lambda: found)[0]

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()
        if pid := self.owner() and self.pid():
            os.kill(pid, signal.SIGKILL)


def is_avatar(path, side=96):
    data = Path(path).read_bytes()
    return data[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(data[16:20], "big") == side


def finds_a_contact_by_each_kind(desk):
    """The bus starts the service, which finds the avatar that `tondo avatar` prints."""
    printed = subprocess.run([desk.programs / "tondo", "avatar", "ada@example.org"], check=True, capture_output=True, text=True)
    path = desk.look_up("mail", "ada@example.org")
    assert path == printed.stdout.strip(), path
    assert is_avatar(path)
    shown = subprocess.run([desk.programs / "tondo", "contacts", "ls", "--json"], check=True, capture_output=True, text=True)
    assert "Ada Okafor" in shown.stdout
    for kind, value in ("name", "ada okafor"), ("id", "sample-ada"), ("mail", " ADA@example.org"):
        assert desk.look_up(kind, value) == path, (kind, value)
    assert is_avatar(desk.look_up("id", "sample-ada", 64, 2), 128)


def finds_numbers_in_any_notation(desk):
    (desk.book / "x.vcf").write_text(card("Xaver Ott", "x@example.org", tel="TEL:+49 (176) 1234-5678\n"))
    path = desk.look_up("mail", "x@example.org")
    for number in "+4917612345678", "0176 12345678", "tel:+49-176-12345678":
        assert desk.look_up("phone", number) == path, number
    for number in "+1 176 12345678", "0176 12345679", "", "abc", "110":
        assert desk.look_up("phone", number).startswith(ERROR), number


def refuses_what_is_no_question(desk):
    """Each wrong argument has the same error, whatever its size, and the service goes on."""
    desk.start()
    for words in (("face", "ada", 96, 1), ("", "ada", 96, 1), ("MAIL", "ada@example.org", 96, 1), ("mail", "", 96, 1),
                  ("mail", "a" * 1025, 96, 1), ("name", "\N{GRINNING FACE}" * 5_000_000, 96, 1), ("id", "x", 0, 1),
                  ("id", "x", 1025, 1), ("id", "x", 4_294_967_295, 1), ("id", "x", 96, 0), ("id", "x", 96, 4),
                  ("id", "x", 96, 4_294_967_295)):
        assert desk.look_up(*words) == ERROR + "InvalidArgument", (words[0], len(words[1]), words[2:])
    for kind, value in ("mail", "nowhere@example.org"), ("id", "../../etc/passwd"), ("name", "%s%n\x01"), ("mail", "a" * 1024):
        assert desk.look_up(kind, value) == ERROR + "NotFound", value
    assert is_avatar(desk.look_up("id", "sample-ada"))


def two_people_with_one_name_are_not_found(desk):
    """A wrong face is worse than none; of one address the first contact with a photo is shown."""
    for name in "one", "two":
        (desk.book / f"{name}.vcf").write_text(card("Kim Lee", f"{name}@example.org"))
    (desk.book / "family.vcf").write_text(card("Lee", "one@example.org"))
    assert desk.look_up("name", "Kim Lee") == ERROR + "NotFound"
    assert is_avatar(desk.look_up("mail", "one@example.org"))


def names_a_book_that_cannot_be_read(desk):
    """What another book has is found; what none has may be in the lost one. It is found once the book is there."""
    lost = desk.home / "lost.vcf"
    desk.configure(f'books = ["{lost}", "{desk.book}"]\n')
    desk.start()
    assert desk.look_up("mail", "z@example.org") == ERROR + "BookUnreadable"
    assert is_avatar(desk.look_up("mail", "ada@example.org"))
    lost.write_text(card("Zoe Zorn", "z@example.org"))
    wait(lambda: desk.look_up("mail", "z@example.org").startswith("/"))
    lost.unlink()
    assert desk.look_up("mail", "z@example.org").startswith("/"), "what was read last is served"
    wait(lambda: desk.look_up("mail", "nowhere@example.org") == ERROR + "BookUnreadable")


def says_that_no_book_is_configured(desk):
    desk.configure("")
    desk.start()
    assert desk.look_up("mail", "ada@example.org") == ERROR + "BookUnreadable"


def reports_changes(desk):
    """After the signal, a lookup finds what is new."""
    desk.start()
    before = desk.look_up("mail", "ada@example.org")
    new = desk.book / "new.vcf"
    new.write_text(card("Neo Nord", "neo@example.org", tel="TEL:+4917612345678\n"))
    wait(lambda: len(desk.changes) == 4)
    assert sorted(desk.changes) == [("id", ["neo"]), ("mail", ["neo@example.org"]), ("name", ["Neo Nord"]),
                                    ("phone", ["+4917612345678"])], desk.changes
    assert is_avatar(desk.look_up("mail", "neo@example.org"))
    desk.changes.clear()
    (desk.home / "card").write_text(card("Neo Nord", "other@example.org", photo="bo.jpg"))
    (desk.home / "card").rename(new)
    wait(lambda: any(kind == "mail" for kind, _ in desk.changes))
    assert desk.look_up("mail", "neo@example.org") == ERROR + "NotFound"
    assert desk.look_up("mail", "other@example.org") != before
    desk.changes.clear()
    new.unlink()
    wait(lambda: ("id", ["other"]) in desk.changes)


def reports_another_photo_file(desk):
    """A card whose photo file is replaced has changed, though its own file has not."""
    (desk.book / "p.vcf").write_text(card("Pia Pott", "pia@example.org", photo="pia.jpg"))
    shutil.copy(ROOT / "assets/samples/ada.jpg", desk.book / "pia.jpg")
    desk.start()
    before = desk.look_up("mail", "pia@example.org")
    shutil.copy(ROOT / "assets/samples/bo.jpg", desk.home / "bo.jpg")
    (desk.home / "bo.jpg").rename(desk.book / "pia.jpg")
    wait(lambda: ("mail", ["pia@example.org"]) in desk.changes)
    assert desk.look_up("mail", "pia@example.org") != before
    # An empty list would stand for all numbers.
    assert {kind for kind, _ in desk.changes} == {"id", "mail", "name"}, desk.changes


def many_changes_are_one_empty_list(desk):
    """A list of thousands of names would be no message: an empty one stands for all."""
    desk.start()
    text = "".join(card(f"No {number}", f"no{number}@example.org") for number in range(1_500))
    (desk.book / "many.vcf").write_text(text)
    wait(lambda: ("mail", []) in desk.changes)


def bounds_the_calls_that_wait(desk):
    """Of thousands at once, one client gets 64 served and the others refused; another client is served meanwhile."""
    desk.start()
    replies = []
    for number in range(3_000):
        desk.call("id", "sample-ada", 1 + number % 64, 1 + number % 3, done=replies.append)
    address = Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION)
    other = Gio.DBusConnection.new_for_address_sync(
        address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
    others = []
    desk.call("id", "sample-bo", 96, 1, done=others.append, bus=other)
    assert is_avatar(wait(lambda: others)[0])
    wait(lambda: len(replies) == 3_000, 120)
    served = [reply for reply in replies if reply.startswith("/")]
    assert len(served) >= 64 and set(replies) - set(served) <= {LIMITS}, (len(served), set(replies) - set(served))
    assert LIMITS in replies
    assert is_avatar(desk.look_up("id", "sample-ada"))


def serves_while_a_client_never_reads(desk):
    """Replies to a client that reads nothing pile up at the bus, and hold no other client up."""
    desk.start()
    code = ("import sys, time, dbus\nbus = dbus.SessionBus()\n"
            "for number in range(2000):\n"
            f"    message = dbus.lowlevel.MethodCallMessage('{NAME}', '{PATH}', '{NAME}', 'Lookup')\n"
            "    message.append('id', 'sample-ada', dbus.UInt32(96), dbus.UInt32(1))\n    bus.send_message(message)\n"
            "bus.flush()\nprint('sent', flush=True)\ntime.sleep(60)\n")
    silent = subprocess.Popen([sys.executable, "-c", "import dbus.lowlevel\n" + code], stdout=subprocess.PIPE, text=True)
    desk.processes.append(silent)
    assert silent.stdout.readline() == "sent\n"
    started = time.monotonic()
    assert is_avatar(desk.look_up("id", "sample-bo"))
    assert time.monotonic() - started < 5
    silent.kill()


def answers_while_a_book_is_being_changed(desk):
    """A card whose photo moves in its file, over and over, has its photo each time, before the watcher reports anything."""
    import base64
    photos = [base64.b64encode((ROOT / f"assets/samples/{name}.jpg").read_bytes()).decode() for name in ("ada", "bo")]
    desk.start()
    target, temporary = desk.book / "busy.vcf", desk.home / "busy"
    cards = ["".join(f"BEGIN:VCARD\nVERSION:3.0\nUID:{name}\nFN:{name}\nEMAIL:{name}@example.org\nPHOTO;ENCODING=b;TYPE=JPEG:"
                     f"{photo}\nEND:VCARD\n" for name, photo in zip(order, photos)) for order in (["u", "v"], ["v", "u"])]
    (desk.book / "still.vcf").write_text(cards[0].replace("UID:", "UID:still-").replace("EMAIL:", "EMAIL:still-"))
    wait(lambda: desk.look_up("id", "still-v").startswith("/"))
    paths = [desk.look_up("id", f"still-{name}") for name in "uv"]
    for turn in range(60):
        temporary.write_text(("\n" * turn) + cards[turn % 2])
        temporary.rename(target)
        if turn == 0:
            wait(lambda: desk.look_up("mail", "u@example.org").startswith("/"))
        found = desk.look_up("mail", "u@example.org")
        assert found == paths[turn % 2], (turn, found, paths)


def ends_when_idle_and_loses_no_call(desk):
    """The name is given away first. Calls of that moment are answered, by this process or by the next."""
    assert desk.look_up("id", "sample-ada").startswith("/")
    first = desk.pid()
    for pause in range(1_900, 2_120, 20):
        time.sleep(pause / 1000)
        assert desk.look_up("id", "sample-ada").startswith("/"), pause
    wait(lambda: not desk.owner(), 10)
    assert desk.look_up("id", "sample-ada").startswith("/")
    assert desk.pid() != first


def ends_by_a_signal_after_its_replies(desk):
    process = desk.start()
    replies = []
    for size in range(100, 110):
        desk.call("id", "sample-ada", size, 3, done=replies.append)
    wait(lambda: replies)
    process.send_signal(signal.SIGTERM)
    wait(lambda: len(replies) == 10)
    assert all(reply.startswith("/") for reply in replies), replies
    assert process.wait(10) == 0


def ends_with_the_bus(desk):
    """The end of a session is no failure."""
    private = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
    address = private.stdout.readline().strip()
    service = subprocess.Popen([desk.programs / "tondo-dbus", "--idle", "0"],
                               env=dict(os.environ, DBUS_SESSION_BUS_ADDRESS=address))
    desk.processes += [private, service]
    bus = Gio.DBusConnection.new_for_address_sync(
        address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
    bus.set_exit_on_close(False)
    wait(lambda: bus.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner",
                               GLib.Variant("(s)", (NAME,)), None, 0, -1).unpack()[0])
    found = []
    desk.call("id", "sample-ada", 96, 1, done=found.append, bus=bus)
    assert is_avatar(wait(lambda: found)[0])
    private.terminate()
    assert service.wait(10) == 0


def says_why_it_does_not_start(desk):
    def status(*words, **environment):
        return subprocess.run([desk.programs / "tondo-dbus", *words], env=dict(os.environ, **environment),
                              capture_output=True, text=True)
    desk.start()
    assert status().returncode == 69 and "another process serves it" in status().stderr
    assert status(DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent").returncode == 69
    assert status("--idle", "-1").returncode == 64 and status("--what").returncode == 64
    assert status("--help").returncode == 0
    desk.configure("books = 7\n")
    assert status().returncode == 78


def is_described_as_it_is(desk):
    """The file for programs that are built against the interface has what the service says of itself."""
    desk.start()
    text = desk.bus.call_sync(NAME, PATH, "org.freedesktop.DBus.Introspectable", "Introspect", None, None, 0, -1).unpack()[0]
    real = Gio.DBusNodeInfo.new_for_xml(text).lookup_interface(NAME)
    named = Gio.DBusNodeInfo.new_for_xml((ROOT / f"assets/{NAME}.xml").read_text()).lookup_interface(NAME)
    assert shape(real) == shape(named), (shape(real), shape(named))


def shape(interface):
    words = lambda arguments: [(one.name, one.signature) for one in arguments or []]
    return ([(one.name, words(one.in_args), words(one.out_args)) for one in interface.methods],
            [(one.name, words(one.args)) for one in interface.signals])


def the_documented_lines_work(desk):
    """The examples in Python and GLib of docs/clients.md."""
    text = (ROOT / "docs/clients.md").read_text().split("## D-Bus")[1].split("\n## ")[0]
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert len(blocks) == 2
    for block in blocks:
        done = subprocess.run([sys.executable, "-c", block], check=True, capture_output=True, text=True)
        assert is_avatar(done.stdout.strip(), 128), done


TESTS = [value for name, value in list(globals().items())
         if callable(value) and getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == ("desk",)]


def install(home, programs):
    """The file for the bus, with an earlier end, and a service that systemd does not start."""
    text = (ROOT / f"systemd/dbus/{NAME}.service").read_text()
    services = home / ".local/share/dbus-1/services"
    services.mkdir(parents=True)
    text = text.replace("/usr/local/bin/tondo-dbus", f"{programs}/tondo-dbus --idle 2")
    (services / f"{NAME}.service").write_text(text.replace("SystemdService=tondo-dbus.service\n", ""))


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
    options.add_argument("words", nargs="*")
    chosen = options.parse_args()
    if reason():
        sys.exit(reason())
    if chosen.check:
        return
    programs = chosen.programs.resolve()
    if chosen.one:
        return run(chosen.one, programs)
    failed = 0
    for test in TESTS:
        name = test.__name__
        if chosen.words and not any(word in name for word in chosen.words):
            continue
        with tempfile.TemporaryDirectory() as home:
            install(Path(home), programs)
            environment = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "TONDO_", "DBUS_"))}
            command = ["timeout", "180", "dbus-run-session", "--", __file__, "--programs", programs, "--one", name]
            # The bus takes the home folder of the user, not $HOME.
            environment |= {"HOME": home, "XDG_DATA_HOME": f"{home}/.local/share"}
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
        print(("- " if done.returncode == 0 else "failed: ") + name.replace("_", " "), flush=True)
        if done.returncode:
            failed += 1
            print(done.stdout[-4000:] + done.stderr[-4000:])
    sys.exit(f"{failed} of the tests failed" if failed else 0)


main()
