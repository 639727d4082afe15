"""A case: an input that a public report describes, rebuilt with data of our own, and the value that users expect.

A module `<family>/<subject>.py` declares cases with the decorator:

    @report("https://github.com/owner/name/issues/1", "An empty line stands behind each line.",
            right="All fields and the photo.", before="wrong")
    def empty_line_behind_each_line(trial):
        trial.book("a.vcf", "...")
        trial.expect_contacts([{"name": "Gesa Hagen"}])
"""
import dataclasses
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable

declared = []


@dataclasses.dataclass
class Case:
    check: Callable
    sources: tuple
    said: str
    """The property of the input, in one sentence."""
    right: str
    """What a user expects, and why where it is not obvious."""
    before: str
    """What the program did when the case was written: `right` or `wrong`."""
    family: str = ""

    @property
    def name(self):
        return self.check.__name__.replace("_", "-")


def report(*sources, right, before, said=None):
    """The last of `sources` is the property; the others are addresses of reports."""
    *addresses, said = sources if said is None else (*sources, said)
    assert addresses and all(address.startswith("https://") for address in addresses), "a case names its reports"
    assert before in ("right", "wrong")

    def declare(check):
        declared.append(Case(check, tuple(addresses), said, right, before))
        return check
    return declare


def collect(folder, words):
    """The cases of the families below `folder`, in order; those alone that one of `words` names, if there are any."""
    cases = []
    for path in sorted(folder.glob("*/*.py")):
        if path.parent.name == "support" or path.name.startswith("_"):
            continue
        declared.clear()
        spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(path.parent))
        spec.loader.exec_module(module)
        sys.path.pop(0)
        for case in declared:
            case.family = path.parent.name
        cases += declared
    names = [f"{case.family}/{case.name}" for case in cases]
    assert len(set(names)) == len(names), "two cases have one name"
    return [case for case in cases
            if not words or any(word == case.family or word in f"{case.family}/{case.name}" for word in words)]


class Skipped(Exception):
    """The case cannot run on this machine; the text is the reason."""


class Trial:
    """One run of a case: folders of its own, the program, and what was wrong. Cases of a family extend it by functions
    of the modules beside this one, which take a trial."""

    def __init__(self, case, tondo):
        self.case, self.tondo = case, tondo
        self.wrong, self.checked, self.endings, self.skipped = [], 0, [], None
        self.folder = Path(tempfile.mkdtemp(prefix="tondo-report-"))
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith(("TONDO", "XDG_"))}
        for key, name in [("HOME", "home"), ("XDG_CONFIG_HOME", "config"), ("XDG_CACHE_HOME", "cache"),
                          ("XDG_STATE_HOME", "state"), ("XDG_DATA_HOME", "data"), ("XDG_RUNTIME_DIR", "runtime")]:
            (self.folder / name).mkdir(mode=0o700)
            self.environment[key] = str(self.folder / name)

    def run(self, *words, **more):
        """The ended process of `tondo words...`, its output as bytes."""
        more.setdefault("timeout", 120)
        return subprocess.run([self.tondo, *map(str, words)], env=self.environment, capture_output=True,
                              cwd=more.pop("cwd", self.folder), **more)

    def expect(self, what, got, want):
        self.checked += 1
        if got != want:
            self.wrong.append(f"{what}: got {got!r}, should be {want!r}")

    def require(self, what, condition):
        """`what` says what should be so."""
        self.checked += 1
        if not condition:
            self.wrong.append(f"not so: {what}")

    def skip(self, reason):
        """Ends the case, which cannot run here."""
        raise Skipped(reason)

    def at_end(self, action):
        self.endings.append(action)

    def close(self):
        for action in reversed(self.endings):
            action()
        shutil.rmtree(self.folder, ignore_errors=True)
