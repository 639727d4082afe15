/// Compares entity tags: whether the client's copy is still current (RFC 9110 8.8.3 and 13.1.2).
package enum EntityTag {
    /// A strong tag for an opaque text such as a cache key, with its quotation marks.
    ///
    /// `text` must be made of characters that a tag may hold; keys and hashes are.
    package static func strong(_ text: String) -> String { "\"\(text)\"" }

    /// Whether an `If-None-Match` of `value` holds a tag that weakly equals `tag`, or is `*`.
    ///
    /// Several fields of this name are one list, joined by commas. A value that is not a list of tags matches nothing,
    /// so the client gets the whole response.
    package static func isMatched(_ tag: String, ifNoneMatch value: String) -> Bool {
        var rest = Substring(value).utf8[...]
        dropBlanks(&rest)
        if rest.first == 0x2A, rest.dropFirst().allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return true }
        let wanted = opaque(tag)
        var found = false
        while true {
            // Empty elements are part of a list's grammar (RFC 9110 5.6.1.2).
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
            if rest.isEmpty { return found }
            guard let next = takeTag(&rest) else { return false }
            dropBlanks(&rest)
            guard rest.isEmpty || rest.first == 0x2C else { return false }
            found = found || next.elementsEqual(wanted) || isCoded(next, wanted)
        }
    }

    /// A proxy that compresses answers changes their tags, and some do not change them back in requests.
    private static let codings = ["-gzip", "--gzip", ";gzip", "-br", "-zstd", "-deflate"].map {
        Array(($0 + "\"").utf8)
    }

    private static func isCoded(_ tag: Substring.UTF8View, _ wanted: Substring.UTF8View) -> Bool {
        let plain = wanted.dropLast()
        guard tag.count > wanted.count, tag.starts(with: plain) else { return false }
        return codings.contains { tag.dropFirst(plain.count).elementsEqual($0) }
    }

    /// What an `If-Match` asks for.
    package enum Condition: Equatable, Sendable {
        /// `*`: that there is something.
        case any
        /// One of these, without their quotation marks. Weak tags match nothing (RFC 9110 13.1.1), and neither does what is no list.
        case tags([String])

        package init(_ value: String) {
            var rest = Substring(value).utf8[...]
            dropBlanks(&rest)
            if rest.first == 0x2A, rest.dropFirst().allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                self = .any
                return
            }
            var tags: [String] = []
            while true {
                rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
                if rest.isEmpty { break }
                let isWeak = isWeak(rest)
                guard let tag = takeTag(&rest) else {
                    tags = []
                    break
                }
                if !isWeak { tags.append(String(decoding: tag.dropFirst().dropLast(), as: UTF8.self)) }
                dropBlanks(&rest)
            }
            self = .tags(tags)
        }
    }

    /// The tag without `W/`: the weak comparison compares the opaque part alone (RFC 9110 8.8.3.2).
    private static func opaque(_ tag: String) -> Substring.UTF8View {
        let bytes = Substring(tag).utf8[...]
        return isWeak(bytes) ? bytes.dropFirst(2) : bytes
    }

    private static func isWeak(_ bytes: Substring.UTF8View) -> Bool { bytes.starts(with: "W/".utf8) }

    /// One tag off the front, without its `W/`; nil when there is none. Shells and some clients drop the quotation marks: they are put back.
    private static func takeTag(_ rest: inout Substring.UTF8View) -> Substring.UTF8View? {
        if isWeak(rest) { rest.removeFirst(2) }
        guard rest.first == UInt8(ascii: "\"") else {
            let bare = rest.prefix { $0 != 0x2C && $0 != 0x20 && $0 != 0x09 }
            rest = rest[bare.endIndex...]
            let isTag = !bare.isEmpty && !bare.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "*") }
            return isTag ? Substring("\"\(Substring(bare))\"").utf8 : nil
        }
        guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let tag = rest[...end]
        guard tag.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || 0x23...0x7E ~= $0 || $0 >= 0x80 }) else {
            return nil
        }
        rest = rest[rest.index(after: end)...]
        return tag
    }

    private static func dropBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }
}
