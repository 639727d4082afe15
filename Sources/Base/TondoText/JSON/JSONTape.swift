/// The structure of a JSON text (RFC 8259): a token for each value and key, in the text's order.
///
/// Nothing recurses, however deep the text is nested, and errors stay local: an invalid number only affects its own
/// value, and everything before a truncation is read. A superfluous comma is accepted.
package struct JSONTape: Sendable {
    /// The type of a value, as its first byte or its word shows it.
    package enum Kind: UInt8, Sendable {
        case object, array
        /// Characters as they are.
        case string
        /// Characters with `\` escapes.
        case escapedString
        case number, yes, no, null
        /// A word that has no meaning, such as NaN.
        case broken
        /// An object or array that was open where the text was truncated.
        case cutObject, cutArray
    }

    struct Token: Sendable {
        var kind: Kind
        var start: UInt32
        /// The position after its last byte.
        var end: UInt32
        /// The token after it and its contents.
        var next: UInt32
    }

    /// The text has too many bytes for offsets of 32 bits, or more values and keys than the caller allows.
    package struct Excess: Error, Equatable, Sendable {
        /// Which of the two limits was exceeded.
        package enum Subject: Sendable { case bytes, values }

        package var subject: Subject
        /// Exact for bytes. For values, where the scan stopped: the text may have more.
        package var found: Int
        package var limit: Int
    }

    /// Makes text from the bytes of a number, or of a string after its escapes were replaced.
    package typealias Decoder = @Sendable (UnsafeRawBufferPointer) -> String

    fileprivate let bytes: FileBytes
    fileprivate let decode: Decoder
    let tokens: [Token]
    /// The first one.
    package let failure: SyntaxFailure?

    /// `most`: values and keys. `decode`: the text of some bytes, in which ASCII is ASCII; UTF-8 by default.
    package init(
        _ bytes: FileBytes, most: Int = .max, decode: @escaping Decoder = { String(decoding: $0, as: UTF8.self) }
    ) throws(Excess) {
        let longest = Int(Int32.max)
        guard bytes.count < longest else { throw Excess(subject: .bytes, found: bytes.count, limit: longest) }
        let scanner = bytes.withUnsafeBufferPointer { text in
            var scanner = JSONScanner(bytes: text, most: most, passed: ReadBytes(bytes))
            scanner.scan()
            return (tokens: scanner.tokens, failure: scanner.failure)
        }
        let count = scanner.tokens.count
        if count > most { throw Excess(subject: .values, found: count, limit: most) }
        self.bytes = bytes
        self.decode = decode
        tokens = scanner.tokens
        failure = scanner.failure
    }

    /// The outermost value; nil if the text has none.
    package var root: JSONValue? { tokens.isEmpty ? nil : JSONValue(tape: self, index: 0) }
}

/// One value of a `JSONTape`.
package struct JSONValue: Sendable {
    let tape: JSONTape
    let index: Int

    private var token: JSONTape.Token { tape.tokens[index] }
    package var kind: JSONTape.Kind { token.kind }
    /// Its bytes in the tape's text.
    package var range: Range<Int> { Int(token.start)..<Int(token.end) }

    /// Also true for an object whose end is missing.
    package var isObject: Bool { kind == .object || kind == .cutObject }
    /// Also true for an array whose end is missing.
    package var isArray: Bool { kind == .array || kind == .cutArray }
    /// The text ends inside of this object or array, so that members may be missing.
    package var isCut: Bool { kind == .cutObject || kind == .cutArray }

    /// A string's characters between the quotes, including escapes.
    package var content: Range<Int> { Int(token.start) + 1..<Int(token.end) - 1 }

    /// Half a surrogate pair becomes U+FFFD (RFC 8259 8.2), and so do bytes that the decoder refuses.
    package var string: String? {
        switch kind {
        case .string: text(content)
        case .escapedString: JSONEscapes.decode(tape.bytes[content][...]).withUnsafeBytes(tape.decode)
        default: nil
        }
    }

    /// The text of a number.
    package var number: String? { kind == .number ? text(range) : nil }

    private func text(_ range: Range<Int>) -> String {
        tape.bytes.withUnsafeBytes { tape.decode(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The elements of an array; none for other values.
    package var elements: UnfoldSequence<JSONValue, Int> {
        sequence(state: isArray ? index + 1 : Int(token.next)) { [end = Int(token.next)] next -> JSONValue? in
            guard next < end else { return nil }
            defer { next = Int(tape.tokens[next].next) }
            return JSONValue(tape: tape, index: next)
        }
    }

    /// The keys and values of an object; none for other values.
    package var members: UnfoldSequence<(key: String, value: JSONValue), Int> {
        sequence(state: isObject ? index + 1 : Int(token.next)) { [end = Int(token.next)] next in
            // A text that was cut may end with a key alone.
            guard next + 1 < end else { return nil }
            defer { next = Int(tape.tokens[next + 1].next) }
            let key = JSONValue(tape: tape, index: next).string ?? ""
            return (key, JSONValue(tape: tape, index: next + 1))
        }
    }

    /// The last member with that name, as in most readers (RFC 8259 section 4).
    package subscript(key: String) -> JSONValue? {
        members.reduce(nil as JSONValue?) { $1.key == key ? $1.value : $0 }
    }
}

/// The position and kind of a grammar error.
package struct SyntaxFailure: Equatable, Sendable {
    /// Bytes from the start of the text.
    package var offset: Int
    /// A part of a sentence, such as `a comma is missing`.
    package var reason: String

    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}
