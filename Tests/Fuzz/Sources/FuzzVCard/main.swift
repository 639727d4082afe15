private import FuzzSupport
private import Glibc

exit(
    Fuzzing.run { bytes, count in
        readBook(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })
