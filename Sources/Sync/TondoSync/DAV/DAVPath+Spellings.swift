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
        replacing(in: path) { rest in
            let isTwice = rest.count > 4 && rest.starts(with: "%25".utf8)
            let isEscape = isTwice && Hex.byte(rest[rest.startIndex + 3], rest[rest.startIndex + 4]) != nil
            return isEscape ? UInt8(ascii: "%") : nil
        }
    }

    /// Without escapes of characters that a path may hold (RFC 3986 section 3.3).
    private static func sparse(_ path: String) -> String {
        replacing(in: path) { rest in
            guard rest.count > 2, rest.first == UInt8(ascii: "%") else { return nil }
            let decoded = Hex.byte(rest[rest.startIndex + 1], rest[rest.startIndex + 2])
            return decoded.flatMap { "@:!$&'()*+,;=~".utf8.contains($0) ? $0 : nil }
        }
    }

    /// `character`: of the escape that the rest begins with; nil: it stays.
    private static func replacing(in path: String, by character: (ArraySlice<UInt8>) -> UInt8?) -> String {
        var (output, rest) = ([UInt8](), Array(path.utf8)[...])
        while let first = rest.first {
            let new = character(rest)
            output.append(new ?? first)
            rest = rest.dropFirst(new == nil ? 1 : 3)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
