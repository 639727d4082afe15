#!/usr/bin/env python3
"""Makes Sources/Contacts/TondoContacts/CSV/ThunderbirdNames.swift of Thunderbird's language packs.

usage: make_columns.py FOLDER

FOLDER has the language packs (`*.xpi`) at any depth, such as those of unpacked Debian packages thunderbird-l10n-*. The
texts are the first row of Thunderbird's CSV exports, in its order; the custom fields are left out.
"""
import re
import sys
import zipfile
from pathlib import Path

TARGET = Path(__file__).resolve().parents[2] / "Sources/Contacts/TondoContacts/CSV/ThunderbirdNames.swift"
# 2136, the screen name, stands behind the second e-mail address.
ORDER = [*range(2100, 2106), 2136, *range(2106, 2131), 2135]


def texts(pack):
    """Language and texts by their numbers, or None."""
    with zipfile.ZipFile(pack) as archive:
        for name in archive.namelist():
            if name.endswith("messenger/importMsgs.properties"):
                lines = archive.read(name).decode().splitlines()
                found = [re.match(r"\s*(21\d\d)\s*=\s*(.*)", line) for line in lines]
                return name.split("/")[3], {int(match[1]): match[2].replace("\\u0020", " ").strip() for match in found if match}
    return None


def main(folder):
    languages = dict(filter(None, map(texts, sorted(Path(folder).rglob("*.xpi")))))
    lines = [f"        {language}|" + "|".join(names[number] for number in ORDER)
             for language, names in sorted(languages.items()) if not language.startswith("en")]
    start, _, rest = TARGET.read_text().partition('"""\n')
    TARGET.write_text(start + '"""\n' + "\n".join(lines) + "\n" + rest[rest.index('        """'):])


if __name__ == "__main__":
    main(sys.argv[1])
