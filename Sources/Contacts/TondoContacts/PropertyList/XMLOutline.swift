internal import TondoText

/// The elements of an XML text (XML 1.0), in the text's order, without their contents.
///
/// Nothing recurses and nothing is expanded: a document type with declarations, and so every custom entity, is refused.
/// Everything before a truncation is read.
struct XMLOutline: Sendable {
    /// Offsets of 32 bits, since there are many of them.
    struct Element: Sendable {
        private let start: UInt32
        private let nameEnd: UInt32
        private let contentStart: UInt32
        private var contentEnd: UInt32
        private var end: UInt32
        private var follower: UInt32
        /// It was open where the text was truncated.
        var isCut = false

        /// Without a content, unless it is closed later. `index`: its own.
        init(range: Range<Int>, nameEnd: Int, index: Int) {
            start = UInt32(range.lowerBound)
            end = UInt32(range.upperBound)
            self.nameEnd = UInt32(nameEnd)
            contentStart = end
            contentEnd = end
            follower = UInt32(index + 1)
        }

        /// Where the element's name is, after `<`.
        var name: Range<Int> { Int(start) + 1..<Int(nameEnd) }
        /// From `<` of its first tag to `>` of its last.
        var range: Range<Int> { Int(start)..<Int(end) }
        /// Between its tags.
        var content: Range<Int> { Int(contentStart)..<Int(contentEnd) }
        /// The element after it and its contents.
        var next: Int { Int(follower) }

        mutating func close(contentEnd: Int, end: Int, next: Int) {
            self.contentEnd = UInt32(contentEnd)
            self.end = UInt32(end)
            follower = UInt32(next)
        }
    }

    let text: SourceText
    let elements: [Element]
    /// The position and kind of the first error.
    let failure: SyntaxFailure?

    init(_ text: SourceText, limits: BookLimits = .standard) throws(ContactsError) {
        // Offsets have 32 bits.
        guard text.bytes.count < Int(Int32.max) else {
            throw .overLimit(.file, found: text.bytes.count, limit: Int(Int32.max))
        }
        let scanner = text.bytes.withUnsafeBufferPointer { bytes in
            var scanner = XMLScanner(bytes: bytes, most: limits.values, passed: ReadBytes(text.bytes))
            scanner.scan()
            return (elements: scanner.elements, failure: scanner.failure, declares: scanner.declares)
        }
        if scanner.elements.count > limits.values {
            throw .overLimit(.values, found: scanner.elements.count, limit: limits.values)
        }
        if scanner.declares { throw .malformed("a document type with declarations of its own") }
        self.text = text
        elements = scanner.elements
        failure = scanner.failure
    }

    /// The elements directly inside one.
    func children(of index: Int) -> [Int] {
        var children: [Int] = []
        var next = index + 1
        while next < elements[index].next {
            children.append(next)
            next = elements[next].next
        }
        return children
    }

    func isNamed(_ index: Int, _ name: String) -> Bool {
        text.bytes.elementsEqual(in: elements[index].name, to: name.utf8)
    }
}
