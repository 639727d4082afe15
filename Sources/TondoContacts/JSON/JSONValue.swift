internal import TondoText

/// One value of a `JSONTape`.
struct JSONValue: Sendable {
    let tape: JSONTape
    let index: Int

    private var token: JSONTape.Token { tape.tokens[index] }
    var kind: JSONTape.Kind { token.kind }
    /// Its bytes in the tape's text.
    var range: Range<Int> { Int(token.start)..<Int(token.end) }

    var isObject: Bool { kind == .object || kind == .cutObject }
    var isArray: Bool { kind == .array || kind == .cutArray }
    var isCut: Bool { kind == .cutObject || kind == .cutArray }

    /// A string's characters between the quotes, including escapes.
    var content: Range<Int> { Int(token.start) + 1..<Int(token.end) - 1 }

    /// Half a surrogate pair becomes U+FFFD (RFC 8259 8.2), and so do bytes that are not UTF-8.
    var string: String? {
        switch kind {
        case .string: tape.text.string(content)
        case .escapedString: tape.text.string(JSONEscapes.decode(tape.text.bytes[content][...]))
        default: nil
        }
    }

    /// The text of a number.
    var number: String? { kind == .number ? tape.text.string(range) : nil }

    /// The elements of an array; none for other values.
    var elements: some Sequence<JSONValue> {
        sequence(state: isArray ? index + 1 : Int(token.next)) { [end = Int(token.next)] next -> JSONValue? in
            guard next < end else { return nil }
            defer { next = Int(tape.tokens[next].next) }
            return JSONValue(tape: tape, index: next)
        }
    }

    /// The keys and values of an object; none for other values.
    var members: some Sequence<(key: String, value: JSONValue)> {
        sequence(state: isObject ? index + 1 : Int(token.next)) { [end = Int(token.next)] next in
            guard next + 1 < end else { return nil }
            defer { next = Int(tape.tokens[next + 1].next) }
            let key = JSONValue(tape: tape, index: next).string ?? ""
            return (key, JSONValue(tape: tape, index: next + 1))
        }
    }

    /// The last member with that name, as in most readers (RFC 8259 section 4).
    subscript(key: String) -> JSONValue? {
        members.reduce(nil as JSONValue?) { $1.key == key ? $1.value : $0 }
    }
}
