private import FuzzSupport
private import Glibc

// TONDO_FUZZ_BOOK says which reader the input is for: json, plist, csv or ldif.
let format = getenv("TONDO_FUZZ_BOOK").map { String(cString: $0) } ?? "json"

exit(
    Fuzzing.run { bytes, count in
        readBook(Array(UnsafeRawBufferPointer(start: bytes, count: count)), as: format)
        return 0
    })
