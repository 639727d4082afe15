/// The elements of an XML text (XML 1.0), in the text's order, without their contents.
///
/// Nothing recurses and nothing is expanded: a document type with declarations, and so every custom entity, is refused.
/// Everything before a truncation is read.
struct XMLOutline: Sendable {
    /// Small, since there are many of them.
    struct Element: Sendable {
        private var nameBounds: (UInt32, UInt32)
        private var bounds: (UInt32, UInt32)
        private var contentBounds: (UInt32, UInt32)
        private var follower: UInt32
        /// It was open where the text was truncated.
        var isCut = false

        init(name: Range<Int>, range: Range<Int>, next: Int) {
            nameBounds = Self.bounds(name)
            bounds = Self.bounds(range)
            contentBounds = Self.bounds(range.upperBound..<range.upperBound)
            follower = UInt32(next)
        }

        /// Of its name.
        var name: Range<Int> { Self.range(nameBounds) }

        /// From `<` of its first tag to `>` of its last.
        var range: Range<Int> {
            get { Self.range(bounds) }
            set { bounds = Self.bounds(newValue) }
        }

        /// Between its tags.
        var content: Range<Int> {
            get { Self.range(contentBounds) }
            set { contentBounds = Self.bounds(newValue) }
        }

        /// The element after it and its contents.
        var next: Int {
            get { Int(follower) }
            set { follower = UInt32(newValue) }
        }

        private static func range(_ bounds: (UInt32, UInt32)) -> Range<Int> { Int(bounds.0)..<Int(bounds.1) }

        private static func bounds(_ range: Range<Int>) -> (UInt32, UInt32) {
            (UInt32(range.lowerBound), UInt32(range.upperBound))
        }
    }

    let text: SourceText
    let elements: [Element]
    /// The position and kind of the first error.
    let failure: XMLFailure?

    init(_ text: SourceText, limits: BookLimits = .standard) throws(ContactsError) {
        // Offsets have 32 bits.
        guard text.bytes.count < Int(Int32.max) else {
            throw .overLimit(.file, found: text.bytes.count, limit: Int(Int32.max))
        }
        let scanner = text.bytes.withUnsafeBufferPointer { bytes in
            var scanner = XMLScanner(bytes, most: limits.values, passed: ReadBytes(text.bytes))
            scanner.scan()
            return (elements: scanner.elements, failure: scanner.failure, declares: scanner.declares)
        }
        if scanner.elements.count > limits.values {
            throw .overLimit(.values, found: scanner.elements.count, limit: limits.values)
        }
        if scanner.declares { throw .malformed("a document type with declarations of its own") }
        (self.text, elements, failure) = (text, scanner.elements, scanner.failure)
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
        text.bytes.elementsEqual(elements[index].name, name.utf8)
    }
}

struct XMLFailure: Equatable, Sendable {
    var offset: Int
    var reason: String
}
