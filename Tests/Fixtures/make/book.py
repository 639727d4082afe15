"""Writes a fixture folder: its files, its README.md and its expect.json."""

import json
import os


class Folder:
    """One property of the decoder, one folder.

    Files and expectations that somebody dropped in by hand are left alone: only entries the
    generator makes itself are rewritten.
    """

    def __init__(self, root, name, about, default=None):
        self.path = os.path.join(root, name)
        self.name = name
        self.about = about.strip() + "\n"
        self.default = default or {}
        self.files = {}
        self.extra = {}

    def add(self, name, data, **expect):
        """Adds one test file; `expect` overrides the folder's default for it."""
        assert name not in self.files, name
        assert len(data) < 100_000, f"{name} has {len(data)} bytes"
        self.files[name] = (data, expect)

    def add_extra(self, name, data):
        """Adds a file that is not itself a test (an expected picture)."""
        assert self.extra.get(name, data) == data, name
        self.extra[name] = data

    def add_expected(self, stem, data):
        """Adds STEM.expected.png, unless an equal picture is there: then the entry to name it."""
        for name, other in self.extra.items():
            if other == data:
                return {"expected": name}
        self.add_extra(f"{stem}.expected.png", data)
        return {}

    def write(self):
        """Writes the folder; returns (number of test files, bytes)."""
        os.makedirs(self.path, exist_ok=True)
        entries = self._entries_by_hand()
        total = 0
        for name, (data, expect) in self.files.items():
            total += self._put(name, data)
            if expect:
                entries[name] = expect
        for name, data in self.extra.items():
            total += self._put(name, data)
        self._put("README.md", self.about.encode())
        lines = [f"    {json.dumps(n)}: {json.dumps(entries[n])}" for n in sorted(entries)]
        text = ("{\n  \"default\": " + json.dumps(self.default)
                + ",\n  \"files\": {\n" + ",\n".join(lines) + "\n  }\n}\n")
        json.loads(text)
        self._put("expect.json", text.encode())
        return len(self.files), total

    def _put(self, name, data):
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(data)
        return len(data)

    def _entries_by_hand(self):
        try:
            with open(os.path.join(self.path, "expect.json")) as file:
                old = json.load(file)["files"]
        except (FileNotFoundError, ValueError, KeyError):
            return {}
        return {name: entry for name, entry in old.items()
                if name not in self.files and os.path.exists(os.path.join(self.path, name))}
