"""What a run needs of the kernel: a mount namespace, a small disk, an unprivileged user, renames that exchange."""
import codecs
import ctypes
import os
import subprocess
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNS = 0x00020000
_RENAME_EXCHANGE = 2
_AT_FDCWD = -100
_PR_SET_PDEATHSIG = 1
# Any user that is not root: modes count for it.
USER = 65534


def exchange(one: Path, other: Path) -> None:
    """Exchanges two names in one step, renameat2(2)."""
    if _libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(one))


def die_with_parent() -> None:
    """Lets the kernel end this process when its parent ends, however that happens."""
    _libc.prctl(_PR_SET_PDEATHSIG, 9)


def own_mounts() -> str | None:
    """Gives this process mounts of its own; otherwise gives the reason why not."""
    if os.geteuid() != 0:
        return "mounting a small disk needs root"
    if _libc.unshare(_CLONE_NEWNS):
        return f"unshare: {os.strerror(ctypes.get_errno())}"
    done = subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip()


def mount_disk(folder: Path, size: str) -> str | None:
    """A disk of `size` at `folder`, gone with the mount namespace; otherwise gives the reason why not."""
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0777", "chaos", str(folder)],
                          capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip()


def bind(program: Path, place: Path) -> Path | None:
    """The program under a name that any user can reach; None where that fails."""
    place.touch()
    done = subprocess.run(["mount", "--bind", str(program), str(place)], capture_output=True)
    return place if done.returncode == 0 else None


def become_unprivileged(folder: Path) -> None:
    """Root ignores modes: the rest of the run is that of another user, whose folder this is."""
    if os.geteuid() != 0:
        return
    # Python reads these when they are used first; the other user may not be able to.
    for encoding in ("idna", "utf-16-le", "utf-16-be", "utf-8-sig", "latin-1", "ascii"):
        codecs.lookup(encoding)
    for path in (folder, *(path for path in folder.iterdir() if path.is_dir())):
        os.chown(path, USER, USER)
    os.setgroups([])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
