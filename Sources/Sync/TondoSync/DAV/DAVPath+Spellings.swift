internal import TondoText

extension DAVPath {
    /// Other ways to write a path, for a server that does not find a card under the path that it names itself: decoded once more where
    /// escapes were escaped (ownCloud lists `%2540` and knows `%40`), with all escapes that RFC 3986 permits, with as few as
    /// possible, and escaped once more.
    static func spellings(_ path: String) -> [String] {
        var found: [String] = []
        for spelling in [decodedOnce(path), id(path), sparse(path), path.replacing("%", with: "%25")] {
            if spelling != path, !found.contains(spelling) { found.append(spelling) }
        }
        return found
    }

    /// `%2540` is `%40`.
    private static func decodedOnce(_ path: String) -> String {
        var (output, rest) = ([UInt8](), Array(path.utf8)[...])
        while let byte = rest.first {
            let isTwice = rest.count > 4 && rest.starts(with: "%25".utf8)
            if isTwice, Hex.byte(rest[rest.startIndex + 3], rest[rest.startIndex + 4]) != nil {
                output.append(byte)
                rest = rest.dropFirst(3)
            } else {
                output.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Without escapes of characters that a path may hold (RFC 3986 section 3.3).
    private static func sparse(_ path: String) -> String {
        let plain = Set("@:!$&'()*+,;=~".utf8)
        var (output, rest) = ([UInt8](), Array(path.utf8)[...])
        while let byte = rest.first {
            if byte == UInt8(ascii: "%"), rest.count > 2,
                let decoded = Hex.byte(rest[rest.startIndex + 1], rest[rest.startIndex + 2]), plain.contains(decoded)
            {
                output.append(decoded)
                rest = rest.dropFirst(3)
            } else {
                output.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
