#!/usr/bin/python3
"""Completes an address in real mutt and aerc, in a terminal of tmux, with the lines that docs/address-books.md gives.

usage: mail.py [--programs FOLDER] [--check]
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# How long a screen may take on a busy machine.
PATIENCE = 60
MISSING = [program for program in ("mutt", "aerc", "tmux") if not shutil.which(program)]


def recipe(program):
    """The settings of the table of mail programs, as they stand in the document."""
    text = (ROOT / "docs/address-books.md").read_text()
    line = re.search(rf"^\| {program}\b[^|]*\| (.*) \|$", text, re.MULTILINE)[1]
    return "\n".join(re.findall(r"`([^`]+)`", line)) + "\n"


class Terminal:
    """One program in a terminal of 80 columns, on a server of its own."""

    def __init__(self, home, environment, *command):
        self.tmux = ["tmux", "-S", str(home / "tmux"), "-f", "/dev/null"]
        self.environment = environment
        subprocess.run([*self.tmux, "new-session", "-d", "-x", "80", "-y", "24", *command], env=environment, check=True)

    def screen(self):
        done = subprocess.run([*self.tmux, "capture-pane", "-p"], env=self.environment, capture_output=True, text=True)
        return done.stdout

    def wait(self, *texts):
        """Until the screen has all of these."""
        end = time.monotonic() + PATIENCE
        while not all(text in (screen := self.screen()) for text in texts):
            if time.monotonic() > end:
                sys.exit(f"failed: no {texts} on the screen:\n{screen}")
            time.sleep(0.05)

    def press(self, *keys):
        subprocess.run([*self.tmux, "send-keys", *keys], env=self.environment, check=True)

    def end(self):
        subprocess.run([*self.tmux, "kill-server"], env=self.environment, capture_output=True)


def try_mutt(home, environment):
    (home / "muttrc").write_text("set folder=~/mail\nset spoolfile=~/mail\nset realname=Me\nset from=me@example.org\n"
                                 + recipe("mutt"))
    terminal = Terminal(home, environment, "mutt", "-F", str(home / "muttrc"))
    try:
        terminal.wait("q:Quit")
        # The menu of a query, whose title counts what was found. mutt quotes what it asks for: quotes around it would be left open.
        for words, shown in (("okafor", "Ada Okafor"), ("o'kafor", "Query 'o'kafor'")):
            terminal.press("Q")
            terminal.wait("Query:")
            terminal.press(words, "Enter")
            terminal.wait("ada@example.org", shown)
            terminal.press("q")
            terminal.wait("q:Quit")
        # A part of an address completes in the header of a new message.
        terminal.press("m")
        terminal.wait("To:")
        terminal.press("ada@", "Tab")
        terminal.wait("To: Ada Okafor <ada@example.org>")
    finally:
        terminal.end()


def try_aerc(home, environment):
    folder = home / ".config/aerc"
    folder.mkdir(parents=True)
    (folder / "aerc.conf").write_text("[compose]\nedit-headers=false\n" + recipe("aerc"))
    (folder / "accounts.conf").write_text(f"[me]\nsource = maildir://{home}/mail\nfrom = Me <me@example.org>\n")
    (folder / "accounts.conf").chmod(0o600)
    # One that stays, while the header is filled in.
    (home / "editor").write_text("#!/bin/sh\nexec sleep 600\n")
    (home / "editor").chmod(0o755)
    environment["EDITOR"] = str(home / "editor")
    terminal = Terminal(home, environment, "aerc")
    try:
        terminal.wait("me")
        terminal.press(":compose", "Enter")
        terminal.wait("To:")
        # Completions open while it is typed.
        terminal.press("okafor")
        terminal.wait("ada@example.org", "Ada Okafor")
    finally:
        terminal.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/debug", help="where tondo is")
    parser.add_argument("--check", action="store_true", help="whether it can run here: if not, prints why and fails")
    options = parser.parse_args()
    if options.check:
        sys.exit(f"{', '.join(MISSING)}: not installed" if MISSING else 0)
    for attempt in (try_mutt, try_aerc):
        with tempfile.TemporaryDirectory(prefix="tondo-mail-") as folder:
            home = Path(folder)
            for name in ("cur", "new", "tmp"):
                (home / "mail" / name).mkdir(parents=True)
            shutil.copytree(ROOT / "assets/book", home / ".contacts")
            (home / ".config/tondo").mkdir(parents=True)
            (home / ".config/tondo/tondo.toml").write_text('books = ["~/.contacts"]\n')
            attempt(home, {"HOME": folder, "PATH": f"{options.programs.resolve()}:{os.environ['PATH']}", "TERM": "xterm-256color",
                           "LC_ALL": "C.UTF-8", "SHELL": "/bin/sh"})
            print(f"- {attempt.__name__.removeprefix('try_')} completes an address")


if __name__ == "__main__":
    main()
