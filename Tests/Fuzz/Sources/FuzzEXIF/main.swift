private import FuzzSupport
private import Glibc

// The input is the TIFF structure of an EXIF block.
exit(
    Fuzzing.run { bytes, count in
        orientAlike(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })
