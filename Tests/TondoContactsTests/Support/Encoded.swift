import Glibc
import Testing

/// The text in a character set, by the C library's name of it.
func encoded(_ text: String, in charset: String) throws -> [UInt8] {
    let converter = iconv_open(charset, "UTF-8")
    try #require(converter != iconv_t(bitPattern: -1))
    defer { iconv_close(converter) }
    var bytes = text.utf8.map { CChar(bitPattern: $0) }
    let capacity = 4 * bytes.count + 16
    return try [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
        try bytes.withUnsafeMutableBufferPointer { input in
            var (from, fromLeft) = (input.baseAddress, input.count)
            var to = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var toLeft = capacity
            try #require(iconv(converter, &from, &fromLeft, &to, &toLeft) != Int(bitPattern: UInt.max))
            count = capacity - toLeft
        }
    }
}
