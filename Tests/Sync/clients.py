"""vdirsyncer and khard, the programs themselves. They are loaded once; each run is a process of its own that is forked from
there, since loading them takes longer than most runs."""
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

KHARD = """\
[addressbooks]
[[book]]
path = {folder}
[general]
editor = true
merge_editor = true
[vcard]
preferred_version = 3.0
"""
VDIRSYNCER = """\
[general]
status_path = "{status}"
[pair book]
a = "server"
b = "folder"
collections = null
conflict_resolution = "{winner} wins"
[storage server]
type = "carddav"
url = "{url}"
username = "ada"
password = "pw"
[storage folder]
type = "filesystem"
path = "{folder}"
fileext = ".vcf"
"""


class Programs:
    """The process that holds both. `home`: theirs."""

    def __init__(self, home: Path):
        environment = dict(os.environ, HOME=str(home), PYTHONWARNINGS="ignore", XDG_CONFIG_HOME=str(home))
        self.process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)

    def run(self, *words: str, answer: str = "") -> tuple[int, str]:
        """Exit status and output. `answer`: for its standard input. A run ends after half a minute."""
        self.process.stdin.write(json.dumps({"words": words, "answer": answer}) + "\n")
        self.process.stdin.flush()
        result = json.loads(self.process.stdout.readline())
        return result["status"], result["output"]

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


class Folder:
    """An address book as vdirsyncer and khard have it."""

    def __init__(self, programs: Programs, work: Path, url: str, winner: str):
        self.programs, self.folder = programs, work / "vdir"
        self.folder.mkdir()
        (work / "khard.ini").write_text(KHARD.format(folder=self.folder))
        self.khard = str(work / "khard.ini")
        (work / "vdirsyncer.ini").write_text(
            VDIRSYNCER.format(status=work / "status", winner=winner, url=url, folder=self.folder))
        self.vdirsyncer = str(work / "vdirsyncer.ini")

    def synchronise(self) -> tuple[int, str]:
        return self.programs.run("vdirsyncer", "-c", self.vdirsyncer, "sync", "--force-delete")

    def discover(self) -> tuple[int, str]:
        return self.programs.run("vdirsyncer", "-c", self.vdirsyncer, "discover")

    def files(self) -> dict[str, Path]:
        """By UID."""
        from proxy import uid_of
        return {uid_of(path.read_bytes()): path for path in sorted(self.folder.glob("*.vcf"))}

    def write(self, path: Path, data: bytes) -> None:
        """As an editor does it."""
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(data)
        temporary.rename(path)

    def edit(self, uid: str, name: str, note: str, phone: str) -> tuple[int, str]:
        """A name that khard has once. khard rewrites its cards."""
        yaml = self.folder.parent / "edit.yaml"
        yaml.write_text(f"Formatted name: {name}\nLast name: {name}\nNote: {note}\nPhone:\n  home: {phone}\n")
        words = ["edit", "-i", str(yaml), f"uid:{uid}"] if uid else ["new", "-i", str(yaml), "-a", "book"]
        return self.programs.run("khard", "-c", self.khard, *words, answer="yes\n")

    def remove(self, uid: str) -> tuple[int, str]:
        return self.programs.run("khard", "-c", self.khard, "remove", "--force", f"uid:{uid}")


def _program(words: list[str]) -> int:
    sys.argv = words
    if words[0] == "vdirsyncer":
        from vdirsyncer.cli import app
        app(words[1:], standalone_mode=True)
        return 0
    from khard.khard import main
    return main(words[1:]) or 0


def _child(words: list[str], answer: str, output: int) -> None:
    """In the forked process: never returns."""
    reader, writer = os.pipe()
    os.write(writer, answer.encode())
    os.close(writer)
    os.dup2(reader, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    signal.alarm(30)
    status = 1
    try:
        status = _program(words)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1 if end.code else 0
        if isinstance(end.code, str):
            print(end.code)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status or 0)


def _serve() -> None:
    """Runs what its standard input asks for, a JSON object a line."""
    import khard.khard  # noqa: F401
    import vdirsyncer.cli  # noqa: F401
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        order = json.loads(line)
        with tempfile.TemporaryFile() as output:
            child = os.fork()
            if child == 0:
                _child(order["words"], order["answer"], output.fileno())
            _, status = os.waitpid(child, 0)
            output.seek(0)
            text = output.read().decode(errors="replace")
        answers.write(json.dumps({"status": os.waitstatus_to_exitcode(status), "output": text}) + "\n")
        answers.flush()


if __name__ == "__main__":
    _serve()
