"""Photos in a folder, and runs of `tondo convert`."""
import os

from support import pictures

PHOTO = pictures.png([[(200, 30, 30)] * 16] * 16)
OTHER = pictures.png([[(30, 30, 200)] * 16] * 16)


def folder(trial, *names, photo=PHOTO):
    """A folder with a photo of each of these names, which are text or bytes."""
    place = trial.folder / "photos"
    place.mkdir(exist_ok=True)
    for name in names:
        path = os.path.join(os.fsencode(place), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(photo)
    return place


def convert(trial, *words, **more):
    return trial.run("convert", *words, "--size", "16", **more)


def names(place):
    return sorted(os.listdir(os.fsencode(place)))
