#!/usr/bin/env python3
"""Writes contacts/: one folder a property, each book beside a JSON file that says what is in it.

Needs Python 3.9 alone. Nobody in these books exists; their pictures are a few bytes that begin like a JPEG or PNG.
Running it again writes the same bytes. Files dropped in by hand are kept.
"""
import json
import os
import sys

sys.dont_write_bytecode = True  # this folder is committed

from make.contacts import broken, charsets, fields, lines, people, photos  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "contacts")


def main():
    seen = {}
    for module in (photos, charsets, lines, fields, people, broken):
        for folder, name, data, expected in module.fixtures():
            path = os.path.join(ROOT, folder, name)
            assert path not in seen, path
            seen[path] = True
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path + ".vcf", "wb") as file:
                file.write(data)
            with open(path + ".json", "w", encoding="utf-8") as file:
                json.dump(expected, file, ensure_ascii=False, indent=1)
                file.write("\n")
    print(f"contacts: {len(seen)} books")


if __name__ == "__main__":
    main()
