#!/usr/bin/env python3
"""Writes every fixture folder next to this file, and with --samples assets/samples as well.

Needs Python 3.9, numpy, Pillow and `cjpeg` (libjpeg-turbo-progs). Every picture is drawn or
computed here; running it again with the same versions of these tools writes the same bytes.
`--encode` makes the coded pictures of heif/ again first, with heif-enc and avifenc.
`--check` reads what was written with independent tools (Pillow, LittleCMS) and compares.
"""

import os
import sys

sys.dont_write_bytecode = True  # this folder is committed

from make import (check, folder_broken, folder_colour, folder_decodes, folder_golden, folder_heif,
                  folder_orientation, folder_quality, folder_refused, folder_unsupported,
                  heif_coded, samples)  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = [folder_orientation, folder_unsupported, folder_refused, folder_broken, folder_colour,
           folder_decodes, folder_heif]


def main(arguments):
    unknown = set(arguments) - {"--samples", "--check", "--encode"}
    if unknown:
        sys.exit(f"unknown option {' '.join(sorted(unknown))}; known: --samples --check --encode")
    if "--encode" in arguments:
        heif_coded.encode()
    sum_of_bytes = 0
    for module in FOLDERS:
        folder = module.make(HERE)
        count, size = folder.write()
        sum_of_bytes += size
        print(f"{folder.name}: {count} files, {size} bytes")
    print(f"together {sum_of_bytes} bytes")
    assert sum_of_bytes < 2_500_000
    if "--samples" in arguments:
        count, size = samples.write(os.path.join(HERE, "..", "..", "assets", "samples"))
        print(f"samples: {count} files, {size} bytes")
    # These two have no expect.json; quality/ is made of the samples.
    print("golden: %d files, %d bytes" % folder_golden.write(HERE))
    print("quality: %d files, %d bytes" % folder_quality.write(HERE))
    if "--check" in arguments:
        sys.exit(1 if check.all_folders(HERE) else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
