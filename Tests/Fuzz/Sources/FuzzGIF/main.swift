private import FuzzSupport
private import Glibc

exit(
    Fuzzing.run { bytes, count in
        Fuzzing.draw(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })
