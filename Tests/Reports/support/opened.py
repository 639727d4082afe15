"""Which files of a folder are opened, by any program: inotify(7)."""
import ctypes
import os
import struct

IN_OPEN = 0x20


class Opened:
    def __init__(self, trial, folder):
        library = ctypes.CDLL(None, use_errno=True)
        self.descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0 or library.inotify_add_watch(self.descriptor, os.fsencode(folder), IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), "inotify")
        trial.at_end(lambda: os.close(self.descriptor))

    def names(self):
        """Since the last call."""
        names = set()
        while True:
            try:
                events = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                return names
            place = 0
            while place < len(events):
                _, _, _, length = struct.unpack_from("iIII", events, place)
                name = events[place + 16:place + 16 + length].rstrip(b"\0")
                place += 16 + length
                if name:
                    names.add(os.fsdecode(name))
