"""Draws the sample photos in assets/samples: python3 -m make.samples (from Tests/Fixtures).

Eight invented people; no picture was copied. Each file is also one kind of photo that address
books really hold.
"""

import io
import os

import numpy as np
from PIL import Image

from . import exif, faces, geometry, icc, jpeg_tools, png_writer
from .colour import to_bytes
from .faces import Person

ADA = Person(skin="#9a6240", hair="#3a231c", eyes="#5b3620", clothes="#e2a52f",
             background=("#7fc4bd", "#2d7f86"), hairstyle="afro", backdrop="dots",
             earrings="hoops", smile="open", lips="#a8443f", lashes=True, tilt=-4, seed=11)
BO = Person(skin="#f2c6a6", hair="#b9592a", eyes="#4d7fa0", clothes="#41698f",
            background=("#ffd9a0", "#f08a7a"), hairstyle="short", backdrop="hills",
            outfit="collar", beard="full", glasses="square", smile="open", freckles=True,
            tilt=3, seed=22)
CHIDI = Person(skin="#6b412c", hair="#1d1614", eyes="#3d2416", clothes="#3e6b4c",
               background=("#c9dd9a", "#4f8a54"), hairstyle="fade", backdrop="leaves",
               outfit="jacket", second="#f4f1ea", smile="open", lips="#8d4a45", tilt=2, seed=33)
DORA = Person(skin="#eec3a8", hair="#cfcdd2", eyes="#5f7f6c", clothes="#7a5f9d",
              background=("#f0e2d2", "#c0a5b9"), hairstyle="bun", backdrop="window",
              outfit="cardigan", second="#f6efe8", glasses="round", earrings="studs",
              lips="#b4525a", wrinkles=True, lashes=True, tilt=-3, seed=44,
              extras={"frame": "#8a2f45"})
EMI = Person(skin="#f3cdaa", hair="#221a1f", eyes="#4a2c1c", clothes="#d8232f",
             background=("#ffb18c", "#f2566a"), hairstyle="bob", backdrop="dots", lashes=True,
             lips="#cf2f3e", tilt=4, seed=55, extras={"flower": "#fff4ee"})
FARID = Person(skin="#c98d63", hair="#2b1c18", eyes="#5a3b22", clothes="#25406e",
               background=("#ffffff", "#ffffff"), hairstyle="waves", beard="stubble",
               outfit="crew", smile="soft", lips="#a85a50", tilt=-2, seed=66)
GRETA = Person(skin="#efc9ae", hair="#7d4a28", eyes="#5d86a8", clothes="#39353c",
               background=("#e3e3e3", "#6b6b6b"), hairstyle="long", outfit="turtleneck",
               lashes=True, lips="#a63c43", freckles=True, tilt=4, seed=77)
HANA = Person(skin="#d9a57c", hair="#2f8f8a", eyes="#4b2e1e", clothes="#c76b7c",
              background=("#fbdcc0", "#dd8d86"), hairstyle="scarf", backdrop="dots",
              smile="open", lips="#b4484f", lashes=True, tilt=-3, seed=88)


def jpeg(picture, quality=78, **options):
    """A JPEG of a float picture."""
    out = io.BytesIO()
    image = Image.fromarray(to_bytes(picture[:, :, :3]))
    if options.pop("gray", False):
        image = image.convert("L")
    image.save(out, "JPEG", quality=quality, optimize=True, **options)
    return out.getvalue()


def with_exif(data, orientation, order):
    """The file with an EXIF orientation."""
    block = jpeg_tools.exif_segment(exif.block(orientation, order))
    return jpeg_tools.insert(data, block)


def ada():
    """A square 1024 px baseline photo with EXIF, as most phones send it."""
    return with_exif(jpeg(faces.paint(ADA, 1024, 1024, centre=(512, 530), unit=255), 76), 1, ">")


def bo():
    """A landscape photo."""
    return jpeg(faces.paint(BO, 1200, 800, centre=(600, 385), unit=235))


def chidi():
    """A portrait phone photo, stored lying on its side with EXIF orientation 6."""
    picture = faces.paint(CHIDI, 840, 1120, centre=(420, 520), unit=250)
    stored = geometry.stored_for(picture, 6)
    return with_exif(jpeg(stored, 78), 6, "<")


def dora():
    """A progressive 4:2:0 photo."""
    return jpeg(faces.paint(DORA, 960, 960, centre=(480, 500), unit=245), 80, progressive=True)


def emi():
    """A wide-gamut photo: the numbers are Display P3, its red is redder than sRGB can say."""
    picture = faces.paint(EMI, 900, 900, unit=245)
    return jpeg(picture, 78, icc_profile=icc.display_p3(4), subsampling=0)


def farid():
    """A cut-out with a transparent background."""
    picture = faces.paint(FARID, 480, 540, centre=(240, 235), unit=128, transparent=True, grain=0)
    return png_writer.encode_rgba(np.where(picture[:, :, 3:] > 0, to_bytes(picture), 0))


def greta():
    """A gray photo in an odd size."""
    return jpeg(faces.paint(GRETA, 881, 1013, centre=(440, 470), unit=235, grain=0.022), 76,
                gray=True)


def hana():
    """A tall photo."""
    return jpeg(faces.paint(HANA, 800, 1066, centre=(400, 500), unit=232), 80)


PHOTOS = {"ada.jpg": ada, "bo.jpg": bo, "chidi.jpg": chidi, "dora.jpg": dora, "emi.jpg": emi,
          "farid.png": farid, "greta.jpg": greta, "hana.jpg": hana}


def write(folder, names=None):
    """Writes the photos; returns (number, bytes)."""
    os.makedirs(folder, exist_ok=True)
    total = 0
    for name, draw in PHOTOS.items():
        if names and name not in names:
            continue
        data = draw()
        assert len(data) < 150_000, f"{name} has {len(data)} bytes"
        total += len(data)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    return len(PHOTOS), total


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    print("%d photos, %d bytes" % write(os.path.join(here, "..", "..", "..", "assets", "samples")))
