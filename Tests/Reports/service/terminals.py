"""What commands print: on terminals of all kinds, into pipes, and with standard streams that are closed."""
import fcntl
import os
import pty
import struct
import subprocess
import termios
import unicodedata

from support import contacts
from support.report import report

GITHUB = "https://github.com/"
ESCAPE = b"\x1b"


def shown(trial, *words, columns=80, **variables):
    """Exit status and the bytes that a terminal of this width gets."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {**trial.environment, "TERM": "xterm-256color", **variables}
    process = subprocess.Popen([trial.tondo, *map(str, words)], env={key: value for key, value in environment.items() if value is not None},
                               stdin=theirs, stdout=theirs, stderr=theirs, cwd=trial.folder, close_fds=True)
    os.close(theirs)
    output = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    os.close(ours)
    return process.wait(60), output


def cells(text):
    """The columns of a terminal that a text takes; joined emoji are one."""
    width, joined = 0, False
    for character in text:
        if character == "\u200d":
            joined = True
        elif not joined and not unicodedata.combining(character):
            width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        else:
            joined = False
    return width


def book(trial, *names):
    return contacts.write(trial, "a.vcf", "".join(contacts.vcard(f"UID:{number}", f"FN:{name}", f"EMAIL:p{number}@example.org") for number, name in enumerate(names)))


@report(GITHUB + "ihabunek/toot/pull/576", GITHUB + "ThomasPritchard/NeuralNote/issues/86", GITHUB + "thombashi/pytablewriter/issues/7",
        "Names in a list are in wide characters, have letters and their marks apart, or are emoji of several people.",
        right="The next column begins at one place in all rows, as the terminal counts.", before="right")
def wide_characters_in_lists(trial):
    names = ["Ada Moe", "\u7530\u4e2d\u592a\u90ce", "\uae40\ubbfc\uc218", "Zoe\u0308 Mo\u0302e", "\uff2d\uff4f\uff45", "\U0001f469\u200d\U0001f469\u200d\U0001f467 Moe", "\U0001f600"]
    code, output = shown(trial, "contacts", "ls", book(trial, *names))
    lines = output.decode().replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()
    trial.expect("status", code, 0)
    places = {cells(line[:line.index("@") - 2]) for line in lines[1:]}
    trial.expect(f"places of the address {lines}", len(places), 1)


@report(GITHUB + "martinus/oans/issues/202", GITHUB + "eminwux/sbsh/issues/390", GITHUB + "refractionPOINT/python-limacharlie/pull/359",
        "Names, identifiers and files have sequences that steer a terminal: another title, another colour, an empty screen.",
        right="The sequences are seen, and do nothing, in lists, messages and questions.", before="right")
def sequences_in_names(trial):
    evil = "\x1b]0;title\x07\x1b[2J\u009b31m\u202e"
    path = contacts.write(trial, f"{evil}b.vcf", contacts.vcard(f"UID:{evil}", f"FN:Ada {evil}", f"EMAIL:a{evil}@example.org", f"NOTE:{evil}", "PHOTO;ENCODING=b:AAAA")
                          + "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:cut off\r\n")
    for words in (["contacts", "ls", path], ["contacts", "show", path, "Ada"], ["contacts", "rm", path, "nobody"], ["contacts", "query", "--book", path, "ada"],
                  ["load", path], ["photos", "ls", path], ["convert", path, "-o", "out"], ["contacts", "groups", path]):
        for name, output in {"pipe": trial.run(*words), "terminal": shown(trial, *words)}.items():
            data = output[1] if name == "terminal" else output.stdout + output.stderr
            plain = data.replace(b"\x1b[1m", b"").replace(b"\x1b[0m", b"").replace(b"\x1b[K", b"").replace(b"\x1b[31m", b"").replace(b"\x1b[33m", b"")
            trial.require(f"{words[:2]} in a {name}: {plain[:200]}", not any(sign in plain for sign in (ESCAPE, b"\x07", "\u009b".encode(), "\u202e".encode())))


@report(GITHUB + "sharkdp/fd/issues/737", GITHUB + "rust-lang/rust/issues/83904", GITHUB + "rpm-software-management/rpm/issues/1444",
        "Standard output is closed, or takes no more bytes, as on a full disk; standard error or input is closed.",
        right="What could not be printed is an error with its reason; closed streams that are not needed change nothing, and no file gets the messages.", before="right")
def streams_that_are_closed(trial):
    path = book(trial, "Ada Moe", "Bo Lie")
    for words in (["contacts", "ls", path], ["contacts", "ls", path, "--json"], ["contacts", "export", path], ["load", path, "--json"], ["convert", path, "-o", "out", "--json"],
                  ["contacts", "query", "--book", path, "moe"], ["config", "show"], ["--help"], ["--version"]):
        for where in (">&-", ">/dev/full"):
            ended = subprocess.run(["sh", "-c", f'exec "$@" {where}', "sh", trial.tondo, *map(str, words)], env=trial.environment, cwd=trial.folder, capture_output=True)
            trial.require(f"{words[:2]} {where}: an error ({ended.returncode}) {ended.stderr[-200:]}", ended.returncode not in (0, -6, -11) and b"standard output" in ended.stderr)
        ended = subprocess.run(["sh", "-c", 'exec "$@" <&- 2>&-', "sh", trial.tondo, *map(str, words)], env=trial.environment, cwd=trial.folder, stdout=subprocess.PIPE)
        trial.require(f"{words[:2]}: without the others {ended.returncode}", ended.returncode == 0 and ended.stdout)
    for file in [path, *(trial.folder / "out").glob("*")]:
        trial.require(f"no message in {file.name}", b"tondo:" not in file.read_bytes())


@report(GITHUB + "NVIDIA/OpenShell/issues/3120", GITHUB + "direnv/direnv/issues/1551", GITHUB + "uber-go/nilaway/issues/105", "The terminal is dumb, or has no size or a very narrow one, or colours are switched off, or the locale is C.",
        right="A list that can be read, without sequences where none are wanted, and never wider than the terminal.", before="wrong")
def terminals_of_all_kinds(trial):
    path = book(trial, "Ada Moe", "\u7530\u4e2d \u592a\u90ce", "Friedrich-Wilhelm von der Osten-Sacken-Hohenlohe")
    for variables in ({"TERM": "dumb"}, {"TERM": None}, {"NO_COLOR": "1"}, {"TERM": ""}):
        code, output = shown(trial, "contacts", "ls", path, **variables)
        trial.require(f"{variables}: {output[:80]}", code == 0 and ESCAPE not in output and b"Ada Moe" in output)
    trial.require("an empty NO_COLOR is none", ESCAPE in shown(trial, "contacts", "ls", path, NO_COLOR="")[1])
    for columns in (60, 20, 5, 1):
        code, output = shown(trial, "contacts", "ls", path, columns=columns, TERM="dumb")
        widest = max(cells(line) for line in output.decode().splitlines())
        trial.require(f"{columns} columns: {widest}", code == 0 and (widest <= max(columns, 5)))
    for variables in ({"LC_ALL": "C"}, {"LC_ALL": "de_DE.ISO-8859-1"}, {"LANG": "tr_TR.UTF-8"}, {"LC_ALL": None, "LANG": None}):
        code, output = shown(trial, "contacts", "ls", path, columns=0, TERM="dumb", **variables)
        trial.require(f"{variables}: {output[:80]}", code == 0 and "\u7530\u4e2d".encode() in output)


@report(GITHUB + "facebook/zstd/issues/4340", GITHUB + "subethaedit/SubEthaEdit/issues/224", "A book comes by a pipe: standard input, /dev/stdin, or the pipe of a shell in place of a file (<(...)).",
        right="The contacts; an archive in the pipe is named as one.", before="right")
def books_of_pipes(trial):
    text = book(trial, "Ada Moe").read_text()
    for words in ('cat book/a.vcf | "$0" contacts ls -', '"$0" contacts ls - < book/a.vcf', 'cat book/a.vcf | "$0" contacts ls /dev/stdin', '"$0" contacts ls <(cat book/a.vcf)', '"$0" contacts query --book <(cat book/a.vcf) moe'):
        ended = subprocess.run(["bash", "-c", words, trial.tondo], env=trial.environment, cwd=trial.folder, capture_output=True)
        trial.require(f"{words}: {ended.returncode} {ended.stderr[:100]}", ended.returncode == 0 and b"Ada Moe" in ended.stdout)
    ended = subprocess.run(["bash", "-c", 'gzip -c book/a.vcf | "$0" contacts ls -', trial.tondo], env=trial.environment, cwd=trial.folder, capture_output=True)
    trial.require(f"an archive: {ended.stderr}", ended.returncode == 66 and b"gzip" in ended.stderr and bool(text))
