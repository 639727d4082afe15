private import FuzzSupport
private import Glibc

// Every input is drawn as it is, and again with its check sums put right: mutations break them, and a decoder that
// stops at the check sum would hide everything behind it.
exit(
    Fuzzing.run { bytes, count in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        Fuzzing.draw(bytes)
        if let repaired = repairedPNG(bytes) { repaired.withUnsafeBytes { Fuzzing.draw($0) } }
        return 0
    })
