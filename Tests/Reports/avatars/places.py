"""Folders that systems add to those of photos, and what files of avatars may do."""
import os
import stat

from support.batch import OTHER, PHOTO, convert, folder, names
from support.report import report


@report("https://github.com/photoview/photoview/issues/430", "https://github.com/photoview/photoview/issues/32",
        "https://github.com/darickc/MMM-BackgroundSlideshow/issues/26", "https://github.com/TheLastGimbus/GooglePhotosTakeoutHelper/issues/127",
        "File servers and systems keep thumbnails, deleted files and snapshots in folders of their own among the photos.",
        right="The user's photos alone, as of hidden folders; such a folder is read if the user names it.", before="wrong")
def folders_of_systems(trial):
    place = folder(trial, "ada.png", "family/bo.png", "@eaDir/ada.png/SYNOPHOTO_THUMB_M.jpg", "#recycle/old.png", "#snapshot/a/ada.png",
                   "$RECYCLE.BIN/cy.png", "System Volume Information/x.png", "__MACOSX/x.png", "lost+found/di.png", "family/@eaDir/bo.png")
    ended = convert(trial, place, "--recursive", "-o", "out")
    trial.expect(f"status ({ended.stderr})", ended.returncode, 0)
    found = sorted(str(path.relative_to(trial.folder / "out")) for path in (trial.folder / "out").rglob("*.png"))
    trial.expect("outputs", found, ["ada.png", "family/bo.png"])
    trial.expect("named: status", convert(trial, place / "#recycle", "-o", "named").returncode, 0)
    trial.expect("named: outputs", names(trial.folder / "named"), [b"old.png"])


@report("https://github.com/thumbsup/thumbsup/issues/229",
        "An editor keeps the former version of a photo beside it: ada.png~.",
        right="The photo, and no refusal because both would have one output.", before="wrong")
def copies_of_editors(trial):
    place = folder(trial, "ada.png")
    (place / "ada.png~").write_bytes(OTHER)
    ended = convert(trial, place, "-o", "out")
    trial.expect(f"status ({ended.stderr})", ended.returncode, 0)
    trial.expect("outputs", names(trial.folder / "out"), [b"ada.png"])


@report("https://github.com/cpan-authors/IPC-Run/issues/91", "https://github.com/google/renameio/issues/33",
        "https://github.com/ImageMagick/ImageMagick/issues/8609",
        "The user's umask gives the group the right to write, or others none at all.",
        right="What the umask leaves of 0666, as with every program.", before="wrong")
def rights_of_the_umask(trial):
    place = folder(trial, "ada.png")
    for mask in (0o002, 0o022, 0o027, 0o077):
        convert(trial, place, "-o", f"out-{mask:o}", umask=mask)
        mode = stat.S_IMODE(os.stat(trial.folder / f"out-{mask:o}" / "ada.png").st_mode)
        trial.expect(f"umask {mask:03o}", f"{mode:o}", f"{0o666 & ~mask:o}")


@report("https://github.com/anthropics/claude-code/issues/61441", "https://github.com/tjko/jpegoptim/issues/48",
        "The files of earlier avatars have rights that the user gave them, and are drawn once more.",
        right="The rights stay: a private file becomes no public one, and a shared one stays shared.", before="wrong")
def rights_of_replaced_files(trial):
    place = folder(trial, "ada.png")
    convert(trial, place, "-o", "out")
    output = trial.folder / "out" / "ada.png"
    for mode in (0o600, 0o664, 0o640):
        output.chmod(mode)
        before = output.stat().st_ino
        ended = convert(trial, place, "-o", "out", "--force", umask=0o022)
        trial.expect(f"{mode:o}: status", ended.returncode, 0)
        trial.require(f"{mode:o}: drawn once more", output.stat().st_ino != before)
        trial.expect(f"{mode:o}", f"{stat.S_IMODE(output.stat().st_mode):o}", f"{mode:o}")
    trial.require("the picture is one", output.read_bytes()[:4] == PHOTO[:4])
