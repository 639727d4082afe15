internal import TondoText

/// Fills an `XMLOutline`.
struct XMLScanner {
    /// More than any book needs; readers of the elements may recurse.
    static let deepest = 32

    private(set) var elements: [XMLOutline.Element] = []
    private(set) var failure: SyntaxFailure?
    /// The document type has declarations.
    private(set) var declares = false
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The maximum number of elements.
    private let most: Int
    private var passed: ReadBytes
    private var offset = 0
    private var open: [Int] = []

    init(bytes: UnsafeBufferPointer<UInt8>, most: Int, passed: ReadBytes) {
        self.bytes = bytes
        self.most = most
        self.passed = passed
    }

    mutating func scan() {
        while failure == nil, !declares, elements.count <= most, let start = find(UInt8(ascii: "<"), from: offset) {
            offset = start
            passed.passed(offset)
            markup()
        }
        if failure == nil, !open.isEmpty {
            offset = bytes.count
            fail("the text ends too early")
        }
        while let index = open.popLast() {
            elements[index].isCut = true
            close(index, contentEnd: offset)
        }
    }

    private mutating func markup() {
        if starts("<!--") { return skip(past: "-->", "an unterminated comment") }
        if starts("<![CDATA[") { return skip(past: "]]>", "an unterminated CDATA section") }
        if starts("<?") { return skip(past: "?>", "an unterminated processing instruction") }
        if starts("<!") { return documentType() }
        if starts("</") { endTag() } else { startTag() }
    }

    private mutating func documentType() {
        guard let end = find(UInt8(ascii: ">"), from: offset) else { return fail("an unterminated document type") }
        declares = bytes[offset..<end].contains(UInt8(ascii: "["))
        offset = end + 1
    }

    private mutating func startTag() {
        guard let end = tagEnd() else { return fail("an unterminated tag") }
        guard open.count < Self.deepest else { return fail("nested deeper than \(Self.deepest)") }
        let isWhole = bytes[end - 1] == UInt8(ascii: "/")
        let name = self.name(from: offset + 1, to: isWhole ? end - 1 : end)
        guard !name.isEmpty else { return fail("a tag without name") }
        elements.append(XMLOutline.Element(range: offset..<end + 1, nameEnd: name.upperBound, index: elements.count))
        offset = end + 1
        if !isWhole { open.append(elements.count - 1) }
    }

    private mutating func endTag() {
        guard let end = find(UInt8(ascii: ">"), from: offset) else { return fail("an unterminated tag") }
        let name = self.name(from: offset + 2, to: end)
        guard let index = open.last, bytes[elements[index].name].elementsEqual(bytes[name]) else {
            return fail("closed by the wrong tag")
        }
        open.removeLast()
        let contentEnd = offset
        offset = end + 1
        close(index, contentEnd: contentEnd)
    }

    private mutating func close(_ index: Int, contentEnd: Int) {
        elements[index].close(contentEnd: contentEnd, end: offset, next: elements.count)
    }

    /// The position of the `>` of the tag at `offset`; one inside an attribute's quotes does not count.
    private func tagEnd() -> Int? {
        var (index, quote) = (offset + 1, UInt8(0))
        while index < bytes.count {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
            index += 1
        }
        return nil
    }

    private func name(from start: Int, to limit: Int) -> Range<Int> {
        guard start < limit else { return start..<start }
        return start..<(bytes[start..<limit].firstIndex { $0 <= 0x20 } ?? limit)
    }

    private func starts(_ word: StaticString) -> Bool {
        offset + word.utf8CodeUnitCount <= bytes.count
            && (0..<word.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == word.utf8Start[$0] }
    }

    private mutating func skip(past mark: StaticString, _ reason: String) {
        let count = mark.utf8CodeUnitCount
        var index = offset
        while let found = find(mark.utf8Start[0], from: index) {
            if found + count <= bytes.count, (1..<count).allSatisfy({ bytes[found + $0] == mark.utf8Start[$0] }) {
                offset = found + count
                return
            }
            index = found + 1
        }
        fail(reason)
    }

    private func find(_ byte: UInt8, from start: Int) -> Int? {
        start < bytes.count ? ASCII.find(byte, in: UnsafeRawBufferPointer(bytes), within: start..<bytes.count) : nil
    }

    private mutating func fail(_ reason: String) {
        if failure == nil { failure = SyntaxFailure(offset: offset, reason: reason) }
    }
}
