#!/usr/bin/python3
"""Tries `tondo accounts-icon` with an AccountsService that python-dbusmock plays on a bus of its own.

usage: accounts.py [--programs FOLDER] [--check]
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NAME, PATH = "org.freedesktop.Accounts", "/org/freedesktop/Accounts"
MOCK = "org.freedesktop.DBus.Mock"
PNG = b"\x89PNG\r\n\x1a\n"

try:
    import dbus
    import dbusmock
    MISSING = None
except ImportError as error:
    MISSING = f"{error}: apt-get install python3-dbusmock"

# Login name, name, mail address. Two contacts have the twins' name, and none has Zoe's.
USERS = [("ada", "Ada Okafor", ""), ("bo", "Somebody Else", "bo@example.org"), ("twins", "Kim Lee", ""),
         ("zoe", "Zoe Zorn", ""), ("new", "", ""), ("-x", "Farid Haddad", "")]
SET = 'self.UpdateProperties("%s.User", {"IconFile": args[0]})' % NAME
REFUSE = 'raise dbus.exceptions.DBusException("Not authorized", name="%s.Error.PermissionDenied")' % NAME


def play(bus):
    """Objects with what the command uses of the interface; the last user may not be changed."""
    accounts = dbus.Interface(bus.get_object(NAME, PATH), MOCK)
    paths = {user[0]: f"{PATH}/User{1000 + number}" for number, user in enumerate(USERS)}
    for name, real, mail in USERS:
        code = REFUSE if name == "-x" else SET
        accounts.AddObject(paths[name], f"{NAME}.User", {"UserName": name, "RealName": real, "Email": mail, "IconFile": ""},
                           [("SetIconFile", "s", "", code)])
    accounts.AddMethod(NAME, "ListCachedUsers", "", "ao", f"ret = {sorted(paths.values())!r}")
    accounts.AddMethod(NAME, "FindUserByName", "s", "o", f"""paths = {paths!r}
if args[0] not in paths:
    raise dbus.exceptions.DBusException("Failed to look up user", name="{NAME}.Error.Failed")
ret = paths[args[0]]""")
    return paths


class Trial:
    def __init__(self, programs, home, address):
        self.programs, self.home = programs, home
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"], "DBUS_SYSTEM_BUS_ADDRESS": address}
        self.bus = dbus.bus.BusConnection(address)
        end = time.monotonic() + 60
        while not self.bus.name_has_owner(NAME):
            assert time.monotonic() < end, "no mock"
            time.sleep(0.02)
        self.paths = play(self.bus)

    def run(self, *words):
        done = subprocess.run([self.programs / "tondo", "accounts-icon", *words], env=self.environment, capture_output=True, text=True)
        return done.returncode, {line.split("\t")[0]: line.split("\t")[1:] for line in done.stdout.splitlines()}, done.stderr

    def icon(self, user):
        properties = dbus.Interface(self.bus.get_object(NAME, self.paths[user]), "org.freedesktop.DBus.Properties")
        return str(properties.Get(f"{NAME}.User", "IconFile"))


def check(trial):
    status, lines, _ = trial.run("ada")
    assert status == 0 and lines["ada"][2] == "would be set" and trial.icon("ada") == "", (status, lines)
    print("- without --yes nothing is set")
    status, lines, _ = trial.run("ada", "bo", "--yes")
    assert status == 0 and [lines[user][2] for user in ("ada", "bo")] == ["set", "set"], (status, lines)
    for user in "ada", "bo":
        assert trial.icon(user) == lines[user][1] and Path(trial.icon(user)).read_bytes()[:8] == PNG
    assert trial.icon("ada") != trial.icon("bo")
    print("- a user is found by the name, and by the mail address before it")
    status, lines, _ = trial.run("zoe", "--contact", "sample-ada", "--size", "128", "--yes")
    assert status == 0 and int.from_bytes(Path(trial.icon("zoe")).read_bytes()[16:20], "big") == 128
    print("- a contact may be named")
    status, lines, _ = trial.run("--all", "--yes")
    states = {user: words[2] for user, words in lines.items()}
    assert status == 1 and set(lines) == set(trial.paths), (status, lines)
    assert states["ada"] == "set" and "2 contacts" in states["twins"] and "no contact" in states["zoe"], states
    assert states["new"] and states["-x"] == "Not authorized", states
    assert trial.icon("twins") == trial.icon("new") == "", "no wrong face"
    print("- --all goes on behind users without a contact, and behind a refusal")
    status, lines, _ = trial.run("--yes", "--", "-x")
    assert status == 1 and lines["-x"][2] == "Not authorized", lines
    (trial.home / "book/plain.vcf").write_text("BEGIN:VCARD\nVERSION:3.0\nUID:p\nFN:Zoe Zorn\nEND:VCARD\n")
    status, lines, _ = trial.run("zoe")
    assert status == 1 and lines["zoe"][1] == "" and "no photo" in lines["zoe"][2], lines
    print("- a contact without a photo gives no picture")
    status, lines, text = trial.run("ada", "nobody")
    assert status == 69 and "Failed to look up user" in text and not lines, (status, lines, text)
    trial.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent"
    assert trial.run("ada")[0] == 69
    for words in ([], ["--all", "ada"], ["ada", "bo", "--contact", "x"], ["ada", "--size", "0"], [""]):
        assert trial.run(*words)[0] == 64, words
    print("- an unknown user, a machine without a bus, and wrong words change nothing")


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--programs", type=Path, default=ROOT / ".build/debug")
    options.add_argument("--check", action="store_true")
    chosen = options.parse_args()
    if MISSING:
        sys.exit(MISSING)
    if chosen.check:
        return
    processes = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(ROOT / "assets/book", home / "book")
        for name in "one", "two":
            (home / f"book/{name}.vcf").write_text(f"BEGIN:VCARD\nVERSION:3.0\nUID:{name}\nFN:Kim Lee\nEND:VCARD\n")
        (home / ".config/tondo").mkdir(parents=True)
        (home / ".config/tondo/tondo.toml").write_text(f'books = ["{home}/book"]\n')
        try:
            daemon = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True,
                                      stderr=subprocess.DEVNULL)
            processes.append(daemon)
            address = daemon.stdout.readline().strip()
            processes.append(subprocess.Popen(
                [sys.executable, "-m", "dbusmock", "--system", NAME, PATH, NAME],
                env=dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=address), stdout=subprocess.DEVNULL))
            check(Trial(chosen.programs.resolve(), home, address))
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()


main()
