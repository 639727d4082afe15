/// The elements of an XML text (XML 1.0), in the text's order, without looking at what they say.
///
/// Nothing recurses and nothing is expanded: a document type with declarations of its own, and so every entity that
/// somebody could define, is refused. Where the text breaks off, everything before is there.
struct XMLOutline: Sendable {
    struct Element: Sendable {
        /// Of its name.
        var name: Range<Int>
        /// From `<` of its first tag to `>` of its last.
        var range: Range<Int>
        /// Between its tags.
        var content: Range<Int>
        /// The element that follows it and all it holds.
        var next: Int
        /// It was still open where the text broke off.
        var isCut: Bool
    }

    let text: SourceText
    let elements: [Element]
    /// Where the text breaks off, and how.
    let failure: XMLFailure?

    init(_ text: SourceText) throws(ContactsError) {
        let scanner = text.bytes.withUnsafeBufferPointer { bytes in
            var scanner = XMLScanner(bytes)
            scanner.scan()
            return (elements: scanner.elements, failure: scanner.failure, declares: scanner.declares)
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
        text.bytes[elements[index].name].elementsEqual(name.utf8)
    }
}

struct XMLFailure: Equatable, Sendable {
    var offset: Int
    var reason: String
}
