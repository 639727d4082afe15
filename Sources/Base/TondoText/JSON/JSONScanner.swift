/// Fills a `JSONTape`.
struct JSONScanner {
    private enum Expectation { case value, valueOrEnd, keyOrEnd, colon, commaOrEnd, nothing }

    /// More than any text needs; each level costs a few bytes.
    static let deepest = 64

    private(set) var tokens: [JSONTape.Token] = []
    private(set) var failure: SyntaxFailure?
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The maximum number of tokens.
    private let most: Int
    private var passed: ReadBytes
    private var offset = 0
    /// The tokens of the open objects and arrays.
    private var open: [Int] = []
    private var expectation = Expectation.value

    init(bytes: UnsafeBufferPointer<UInt8>, most: Int, passed: ReadBytes) {
        self.bytes = bytes
        self.most = most
        self.passed = passed
    }

    mutating func scan() {
        tokens.reserveCapacity(min(bytes.count / 12, most))
        // One token more than permitted shows the caller that there are too many.
        while failure == nil, tokens.count <= most {
            passed.passed(offset)
            while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
            guard offset < bytes.count else { break }
            step(bytes[offset])
        }
        if failure == nil, expectation != .nothing { fail(bytes.isEmpty ? "no text" : "the text ends too early") }
        while let index = open.popLast() {
            tokens[index].kind = tokens[index].kind == .object ? .cutObject : .cutArray
            close(index)
        }
    }

    private mutating func step(_ byte: UInt8) {
        switch (expectation, byte) {
        case (.value, _): value(byte)
        case (.valueOrEnd, _) where byte != UInt8(ascii: "]"): value(byte)
        case (.keyOrEnd, UInt8(ascii: "\"")):
            string()
            expectation = .colon
        case (.colon, UInt8(ascii: ":")):
            offset += 1
            expectation = .value
        case (.commaOrEnd, UInt8(ascii: ",")):
            offset += 1
            // The end may come, too: people leave a comma behind the last element.
            expectation = isInObject ? .keyOrEnd : .valueOrEnd
        case (.valueOrEnd, _), (.commaOrEnd, UInt8(ascii: "]")), (.commaOrEnd, UInt8(ascii: "}")),
            (.keyOrEnd, UInt8(ascii: "}")):
            end(byte)
        case (.colon, _): fail("a colon is missing")
        case (.keyOrEnd, _): fail("a key in quotes is missing")
        case (.commaOrEnd, _): fail("a comma is missing")
        case (.nothing, _): fail("text after the end")
        }
    }

    private var isInObject: Bool { open.last.map { tokens[$0].kind == .object } ?? false }

    private mutating func value(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): begin(.object)
        case UInt8(ascii: "["): begin(.array)
        case UInt8(ascii: "\""):
            string()
            finishValue()
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"): fail("a value is missing")
        default:
            word()
            finishValue()
        }
    }

    private mutating func begin(_ kind: JSONTape.Kind) {
        guard open.count < Self.deepest else { return skipNested() }
        open.append(tokens.count)
        append(kind, from: offset)
        offset += 1
        expectation = kind == .object ? .keyOrEnd : .valueOrEnd
    }

    /// Skips too deeply nested values; they count as one word without a meaning.
    private mutating func skipNested() {
        let start = offset
        var (depth, isString) = (0, false)
        repeat {
            let byte = bytes[offset]
            // An escaped quotation mark neither begins nor ends a string.
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { isString.toggle() }
            if isString { continue }
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
        } while depth > 0 && offset < bytes.count
        offset = min(offset, bytes.count)
        guard depth == 0 else { return fail("nested deeper than \(Self.deepest)") }
        append(.broken, from: start)
        finishValue()
    }

    private mutating func end(_ byte: UInt8) {
        guard let index = open.last, (byte == UInt8(ascii: "}")) == isInObject else {
            return fail("closed by the wrong bracket")
        }
        open.removeLast()
        offset += 1
        close(index)
        finishValue()
    }

    private mutating func close(_ index: Int) {
        tokens[index].end = UInt32(offset)
        tokens[index].next = UInt32(tokens.count)
    }

    private mutating func finishValue() { expectation = open.isEmpty ? .nothing : .commaOrEnd }

    private mutating func string() {
        let start = offset
        var (end, escapes) = (offset + 1, false)
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            let isEscape = bytes[end] == UInt8(ascii: "\\")
            escapes = escapes || isEscape
            // A backslash at the end of the text leads beyond it, which the guard below finds.
            end += isEscape ? 2 : 1
        }
        guard end < bytes.count else { return fail("an unterminated string") }
        offset = end + 1
        append(escapes ? .escapedString : .string, from: start)
    }

    private mutating func word() {
        let start = offset
        while offset < bytes.count, !Self.endsWord(bytes[offset]) { offset += 1 }
        append(Self.kind(UnsafeBufferPointer(rebasing: bytes[start..<offset])), from: start)
    }

    private mutating func append(_ kind: JSONTape.Kind, from start: Int) {
        // The tape has refused texts whose offsets would not fit.
        tokens.append(
            JSONTape.Token(kind: kind, start: UInt32(start), end: UInt32(offset), next: UInt32(tokens.count + 1)))
    }

    private mutating func fail(_ reason: String) {
        if failure == nil { failure = SyntaxFailure(offset: offset, reason: reason) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "{"), UInt8(ascii: "\""):
            true
        default: isBlank(byte)
        }
    }
}

/// Values without quotes (RFC 8259 sections 3 and 6).
extension JSONScanner {
    private static func kind(_ word: UnsafeBufferPointer<UInt8>) -> JSONTape.Kind {
        if isNumber(word) { return .number }
        if word.elementsEqual("true".utf8) { return .yes }
        if word.elementsEqual("false".utf8) { return .no }
        return word.elementsEqual("null".utf8) ? .null : .broken
    }

    private static func isNumber(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = word[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = digits(&rest)
        // A leading zero is no number in JSON: readers would differ between octal and decimal.
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            if digits(&rest).isEmpty { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
            if digits(&rest).isEmpty { return false }
        }
        return rest.isEmpty
    }

    private static func digits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
        rest = rest[digits.endIndex...]
        return digits
    }
}
