"""Many photos by one command: names of outputs, what is kept, statuses, streams."""
import json
import os
import resource
import signal
import subprocess
import threading
import time

from support import pictures
from support.batch import OTHER, PHOTO, convert, folder, names
from support.report import report


@report("https://github.com/apsun/AniConvert/issues/3",
        "Two photos differ in their extension alone, and would give one output.",
        right="An error that names both, before anything is written: the second one would replace the first.", before="right")
def equal_names_with_other_extensions(trial):
    place = folder(trial, "ada.jpg", "ada.png", "bo.png")
    ended = convert(trial, place, "-o", "out")
    trial.expect("status", ended.returncode, 64)
    trial.require(f"both are named: {ended.stderr}", b"ada.jpg" in ended.stderr and b"ada.png" in ended.stderr)
    trial.require("nothing is written", not (trial.folder / "out").exists())


@report("https://github.com/oxipng/oxipng/issues/93", "https://github.com/libvips/libvips/issues/219",
        "https://github.com/DeadSix27/waifu2x-converter-cpp/issues/189", "https://github.com/joemc3/smart-abstract-resizer/issues/39",
        "One of several files is no picture, is empty or is not there.",
        right="The others are drawn, the file is named with the reason, and the status is 1.", before="right")
def one_of_several_fails(trial):
    place = folder(trial, "ada.png", "bo.png")
    for name, data in (("empty.jpg", b""), ("text.jpg", b"no picture\n"), ("cut.png", PHOTO[:40])):
        (place / name).write_bytes(data)
    ended = convert(trial, place, place / "lost.png", "-o", "out")
    trial.expect("status", ended.returncode, 1)
    trial.expect("outputs", names(trial.folder / "out"), [b"ada.png", b"bo.png"])
    for name in (b"empty.jpg", b"text.jpg", b"cut.png", b"lost.png"):
        trial.require(f"{name} is named once", sum(name in line for line in ended.stderr.splitlines()) == 1)


@report("https://github.com/lovell/avif-cli/issues/16",
        "All photos are converted already.",
        right="The status is 0, and nothing is written.", before="right")
def all_is_done_already(trial):
    place = folder(trial, "ada.png", "bo.png")
    trial.expect("first status", convert(trial, place, "-o", "out").returncode, 0)
    before = {path.name: path.stat().st_mtime_ns for path in (trial.folder / "out").iterdir()}
    trial.expect("second status", convert(trial, place, "-o", "out").returncode, 0)
    trial.expect("outputs", {path.name: path.stat().st_mtime_ns for path in (trial.folder / "out").iterdir()}, before)


@report("https://github.com/vercel/next.js/issues/98510", "https://github.com/saimn/sigal/pull/87",
        "An output of an earlier run is empty, or was cut off by a copy that ended too early.",
        right="It is drawn again: it has the right name, and is no picture.", before="wrong")
def outputs_that_are_cut_off(trial):
    place = folder(trial, "ada.png")
    for ending in ("png", "webp"):
        output = trial.folder / "out" / f"ada.{ending}"
        trial.expect("status", convert(trial, place, "-o", "out", "--format", ending, "--size", "64").returncode, 0)
        whole = output.read_bytes()
        for length in (0, len(whole) - 1, len(whole) - 30):
            output.write_bytes(whole[:length])
            trial.expect(f"{ending}, {length} bytes: status", convert(trial, place, "-o", "out", "--format", ending, "--size", "64").returncode, 0)
            trial.expect(f"{ending}, {length} bytes: whole again", output.read_bytes() == whole, True)


@report("https://github.com/tjko/jpegoptim/issues/64", "https://github.com/oxipng/oxipng/issues/178",
        "https://github.com/ImageMagick/ImageMagick/issues/2579", "https://github.com/libjxl/libjxl/issues/433",
        "The name of a photo begins with a hyphen.",
        right="An error that says what to write; behind --, and in a folder, it is a photo as others are.", before="right")
def names_with_a_hyphen(trial):
    place = folder(trial, "-some-file.png")
    ended = convert(trial, "-some-file.png", cwd=place)
    trial.require(f"the message says how to write it: {ended.stderr}", ended.returncode == 64 and b"./-some-file.png" in ended.stderr)
    ended = trial.run("convert", "--size", "16", "-o", "../out", "--", "-some-file.png", cwd=place)
    trial.expect("status behind --", ended.returncode, 0)
    trial.expect("status of the folder", convert(trial, place, "-o", "all").returncode, 0)
    trial.expect("outputs", names(trial.folder / "out") + names(trial.folder / "all"), [b"-some-file.png"] * 2)


@report("https://github.com/charlyie/resmushit-cli/issues/3", "https://github.com/JamieMason/ImageOptim-CLI/issues/138",
        "https://github.com/Convertio/convertio-cli/issues/1", "https://github.com/thumbsup/thumbsup/issues/229",
        "Names of photos have blanks, brackets, several dots, a percent sign, a dash of typography, an emoji, or are no UTF-8.",
        right="Outputs have these names, with another extension.", before="right")
def names_of_all_kinds(trial):
    stems = ["a b (160)", " lead", "photo.v1.2", "%d 100%25", "catalog — MKT", "[a]*?", "a:b", "Zoë 🌻", "名前", "a'b\"c", "x.jpg", b"\xff\xfe"]
    stems = [os.fsencode(stem) for stem in stems]
    place = folder(trial, *(stem + b".PNG" for stem in stems))
    ended = convert(trial, place, "-o", "out")
    trial.expect("status", ended.returncode, 0)
    trial.expect("outputs", names(trial.folder / "out"), sorted(stem + b".png" for stem in stems))


@report("https://github.com/rbinar/mac-powertoys/issues/45", "https://github.com/nomacs/nomacs/issues/676",
        "https://github.com/stefansl/image-shrinker/issues/54", "https://github.com/antonreshetov/image-optimizer/issues/12",
        "Outputs would replace the photos, or files of other programs.",
        right="Each of them stays as it is, and an error says so; --force replaces a file, and never a photo that is read.", before="right")
def photos_and_files_of_others_stay(trial):
    place = folder(trial, "ada.png", "bo.png")
    for words in ((place, "-o", place), (place / "ada.png", "-o", place), (place / "ada.png", "-o", place / "ada.png", "--force")):
        trial.require(f"{words[2:]} is refused", convert(trial, *words).returncode != 0)
    trial.expect("photos", {path.name: path.read_bytes() for path in place.iterdir()}, {"ada.png": PHOTO, "bo.png": PHOTO})
    (trial.folder / "out").mkdir()
    (trial.folder / "out" / "ada.png").write_bytes(OTHER)
    trial.expect("status", convert(trial, place, "-o", "out").returncode, 1)
    trial.expect("the file of another program", (trial.folder / "out" / "ada.png").read_bytes(), OTHER)
    trial.expect("outputs", names(trial.folder / "out"), [b"ada.png", b"bo.png"])
    trial.expect("status with --force", convert(trial, place, "-o", "out", "--force").returncode, 0)
    trial.require("it is replaced", (trial.folder / "out" / "ada.png").read_bytes() != OTHER)


@report("https://github.com/sahib/rmlint/issues/763", "https://github.com/ocrmypdf/OCRmyPDF/pull/1068",
        "https://github.com/MidnightCommander/mc/issues/2012",
        "An output is a pipe or a device, such as /dev/null, and the user may replace it.",
        right="It stays one. Avatars are not written to it without being told so, and thumbnails are written into it.", before="wrong")
def pipes_and_devices_stay(trial):
    place = folder(trial, "ada.png")
    pipe = trial.folder / "pipe.png"
    os.mkfifo(pipe)
    trial.expect("status", convert(trial, place / "ada.png", "-o", pipe).returncode, 1)
    trial.require("the output is still a pipe", pipe.is_fifo())
    card = trial.folder / "ada.vcf"
    card.write_text("BEGIN:VCARD\nVERSION:4.0\nFN:Ada Okafor\nEND:VCARD\n")
    # Both ends at once: the thumbnail is smaller than what a pipe holds.
    ends = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    trial.at_end(lambda: os.close(ends))
    trial.expect("status of the thumbnail", trial.run("thumbnail", card, pipe).returncode, 0)
    trial.require("the output of the thumbnail is still a pipe", pipe.is_fifo())
    try:
        written = os.read(ends, 1 << 16)
    except BlockingIOError:
        written = b""
    trial.require("the thumbnail went through it", written.startswith(b"\x89PNG") and written.endswith(b"IEND\xaeB`\x82"))


@report("https://github.com/strider1551/djvubind/issues/11", "https://github.com/openzim/zim-tools/issues/174",
        "https://github.com/webrecorder/warcit/pull/28",
        "The user presses Ctrl-C in the middle of a run.",
        right="Outputs are whole or not there, no temporary file is left, and another run does the rest.", before="right")
def interrupted_in_the_middle(trial):
    place = folder(trial, "ada.png")
    os.mkfifo(place / "bo.png")
    process = subprocess.Popen([trial.tondo, "convert", place / "ada.png", place / "bo.png", "-o", "out", "--size", "16"],
                               cwd=trial.folder, env=trial.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               # Jobs in the background of a shell begin with it ignored, and so would this one.
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    output = trial.folder / "out" / "ada.png"
    # The pipe has no writer: the run cannot end by itself.
    while process.poll() is None and not output.exists():
        time.sleep(0.02)
    # The second one follows the answer to the first: two at once are one, as the kernel has it.
    process.send_signal(signal.SIGINT)
    end = threading.Timer(60, process.kill)
    end.start()
    trial.require("the first one is answered", any(b"interrupt again" in line for line in process.stderr))
    process.send_signal(signal.SIGINT)
    process.communicate()
    end.cancel()
    trial.expect("status", process.returncode, 130)
    trial.expect("outputs", names(trial.folder / "out"), [b"ada.png"])
    trial.require("it is whole", output.read_bytes().endswith(b"IEND\xaeB`\x82"))
    (place / "bo.png").unlink()
    (place / "bo.png").write_bytes(PHOTO)
    trial.expect("status of the next run", convert(trial, place, "-o", "out").returncode, 0)
    trial.expect("outputs of the next run", names(trial.folder / "out"), [b"ada.png", b"bo.png"])


@report("https://github.com/google/zoekt/issues/94", "https://github.com/TryGhost/Ghost/issues/17379",
        "https://github.com/rordenlab/dcm2niix/issues/53",
        "No more bytes can be written, as on a full disk, or the folder takes no file.",
        right="An error with the reason; what was there stays, and no empty or temporary file is left.", before="right")
def disks_without_room(trial):
    place = folder(trial, "ada.png", photo=pictures.png([[(x * 5 & 255, y * 7 & 255, x * y & 255) for x in range(64)] for y in range(64)]))
    trial.expect("status", convert(trial, place, "-o", "out").returncode, 0)
    before = (trial.folder / "out" / "ada.png").read_bytes()

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    ended = trial.run("convert", place, "-o", "out", "--size", "64", preexec_fn=limit)
    trial.expect("status without room", ended.returncode, 1)
    trial.require(f"the file is named: {ended.stderr}", b"ada.png" in ended.stderr)
    trial.expect("outputs", names(trial.folder / "out"), [b"ada.png"])
    trial.expect("the old output", (trial.folder / "out" / "ada.png").read_bytes() == before, True)
    (trial.folder / "file").write_bytes(b"")
    trial.require("a file is no folder", convert(trial, place / "ada.png", "-o", "file/ada.png").returncode in (64, 74))


@report("https://github.com/mondoohq/mql/pull/341", "https://github.com/npm/cli/pull/7507",
        "https://github.com/collectiveaccess/providence/issues/1965", "https://github.com/typesafehub/conductr-cli/pull/314",
        "Output goes to a pipe: --json to another program, or an avatar.",
        right="Standard output has JSON, or the avatar, and nothing else; messages have no control characters.", before="right")
def streams_of_pipes(trial):
    place = folder(trial, "ada.png", "bo.png")
    (place / "text.jpg").write_bytes(b"no picture\n")
    ended = convert(trial, place, "-o", "out", "--json")
    lines = [json.loads(line) for line in ended.stdout.decode().splitlines()]
    trial.expect("events", [line["event"] for line in lines], ["result"] * 3 + ["summary"])
    trial.require(f"plain messages: {ended.stderr}", all(byte >= 0x20 or byte == 0x0A for byte in ended.stderr))
    ended = convert(trial, "-", "-o", "-", input=PHOTO)
    trial.require("an avatar alone", ended.stdout.startswith(b"\x89PNG") and ended.stdout.endswith(b"IEND\xaeB`\x82"))
    ended = convert(trial, "-", "-o", "-", input=b"")
    trial.expect("status of an empty input", ended.returncode, 1)
    trial.expect("output of an empty input", ended.stdout, b"")
    trial.require(f"it is named: {ended.stderr}", b"standard input" in ended.stderr)


@report("https://github.com/wildlyinaccurate/jekyll-responsive-image/issues/4", "https://github.com/coobird/thumbnailator/issues/64",
        "A folder is converted twice with its sub-folders, and its outputs lie below it.",
        right="Outputs are no photos of the next run, links that lead in circles are followed once, and no file is read twice.",
        before="right")
def a_folder_above_its_outputs(trial):
    place = folder(trial, "ada.jpg.png", "sub/bo.png")
    (place / "again").symlink_to(".")
    for run in range(2):
        ended = convert(trial, ".", "--recursive", "--json", cwd=place)
        trial.expect(f"status of run {run}", ended.returncode, 0)
        inputs = sorted(json.loads(line)["input"] for line in ended.stdout.decode().splitlines()[:-1])
        trial.expect(f"photos of run {run}", [os.path.basename(name) for name in inputs], ["ada.jpg.png", "bo.png"])


@report("https://github.com/tagatac/bagoup/issues/32", "https://github.com/KnugiHK/WhatsApp-Chat-Exporter/issues/51",
        "https://github.com/ubports/address-book-app/issues/155", "https://github.com/ubports/ubuntu-touch/issues/1368",
        "https://github.com/RhetTbull/osxphotos/issues/406",
        "Avatars are named after contacts, whose names have slashes, hundreds of letters, line ends or no letter, or are equal.",
        right="One file for each, in the folder itself, with as much of the name as a file system takes.", before="right")
def names_of_contacts(trial):
    cards = ["Ada/Okafor", "../../up", "..", "hash#name", "Connor O'Brian", "x" * 300, "名" * 120, "two\\nlines", "Bo Berg", "Bo Berg",
             "BO BERG", "Zoe\u0308", "Zo\u00eb", "Bo Berg-2", ".hidden"]
    text = "".join(f"BEGIN:VCARD\nVERSION:4.0\nUID:{number}\nFN:{name}\nEND:VCARD\n" for number, name in enumerate(cards))
    (trial.folder / "book.vcf").write_text(text)
    ended = convert(trial, "book.vcf", "-o", "out/people")
    trial.expect("status", ended.returncode, 0)
    written = names(trial.folder / "out" / "people")
    trial.expect("files", len(written), len(cards))
    trial.expect("folders", names(trial.folder / "out"), [b"people"])
    trial.require("names that differ by more than case", len({name.lower() for name in written}) == len(cards))
    for name in written:
        trial.require(f"{name} can be a name", len(name) <= 255 and name.endswith(b".png") and not name.startswith(b".") and b"\n" not in name)
