/// The structure of a JSON text (RFC 8259): a token for each value and key, in the text's order.
///
/// Nothing recurses, however deep the text is nested, and errors stay local: an invalid number only affects its
/// contact, and everything before a truncation is read. A superfluous comma is accepted.
struct JSONTape: Sendable {
    enum Kind: UInt8, Sendable {
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

    let text: SourceText
    let tokens: [Token]
    /// The position and kind of the first grammar error.
    let failure: JSONFailure?

    init(_ text: SourceText, limits: BookLimits = .standard) throws(ContactsError) {
        // Offsets have 32 bits.
        guard text.bytes.count < Int(Int32.max) else {
            throw .overLimit(.file, found: text.bytes.count, limit: Int(Int32.max))
        }
        let scan = text.bytes.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes, most: limits.values, passed: ReadBytes(text.bytes))
            scanner.scan()
            return (scanner.tokens, scanner.failure)
        }
        if scan.0.count > limits.values {
            throw .overLimit(.values, found: scan.0.count, limit: limits.values)
        }
        (self.text, tokens, failure) = (text, scan.0, scan.1)
    }

    var root: JSONValue? { tokens.isEmpty ? nil : JSONValue(tape: self, index: 0) }
}

struct JSONFailure: Equatable, Sendable {
    var offset: Int
    var reason: String
}
