/// The structure of a JSON text (RFC 8259): a token for each value and key, in the text's order.
///
/// Nothing recurses, whatever the text nests, and what is wrong stays where it is: a number that is none spoils the
/// contact it belongs to, and where the text breaks off, everything before is there. A comma too many is let pass.
struct JSONTape: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array
        /// Characters as they are.
        case string
        /// Characters with `\` escapes in between.
        case escapedString
        case number, yes, no, null
        /// A word that has no meaning, such as NaN.
        case broken
        /// An object or array that was still open where the text broke off.
        case cutObject, cutArray
    }

    struct Token: Sendable {
        var kind: Kind
        var start: UInt32
        /// Where the first byte after it lies.
        var end: UInt32
        /// The token that follows it and all it holds.
        var next: UInt32
    }

    let text: SourceText
    let tokens: [Token]
    /// Where the text breaks the grammar, and how.
    let failure: JSONFailure?

    init(_ text: SourceText, limits: BookLimits = .standard) throws(ContactsError) {
        // Offsets are numbers of 32 bits.
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
