/// Kinds of words, see `ColumnWords`.
struct KindSet {
    /// One bit for each letter that stands for a kind.
    private var bits: UInt32 = 0

    func contains(_ kind: ColumnWords.Kind) -> Bool { bits & Self.bit(kind) != 0 }

    func with(_ kind: ColumnWords.Kind) -> KindSet {
        var kinds = self
        kinds.bits |= Self.bit(kind)
        return kinds
    }

    private static func bit(_ kind: ColumnWords.Kind) -> UInt32 {
        1 << UInt32((kind.rawValue.asciiValue ?? 0x41) - 0x41)
    }
}

/// Words as a tree of their bytes: all words that begin at one place of a text are found in one walk, without a copy of any
/// part of the text.
struct WordTree: Sendable {
    private struct Node {
        let byte: UInt8
        /// The column kind of the word that ends here.
        var kind: ColumnWords.Kind?
        /// Indices of nodes; 0, the root, stands for none.
        var firstChild = 0
        var nextSibling = 0
    }

    private var nodes = [Node(byte: 0)]
    /// The first nodes of words: their many siblings would take long to search.
    private var beginnings = [Int](repeating: 0, count: 256)

    /// A word that is already there gets the new kind.
    mutating func insert(_ word: [UInt8], _ kind: ColumnWords.Kind) {
        guard let first = word.first else { return }
        var node = beginnings[Int(first)]
        if node == 0 {
            node = nodes.count
            nodes.append(Node(byte: first))
            beginnings[Int(first)] = node
        }
        for byte in word.dropFirst() { node = child(of: node, byte) ?? addChild(byte, to: node) }
        nodes[node].kind = kind
    }

    private func child(of node: Int, _ byte: UInt8) -> Int? {
        var child = nodes[node].firstChild
        while child != 0, nodes[child].byte != byte { child = nodes[child].nextSibling }
        return child == 0 ? nil : child
    }

    private mutating func addChild(_ byte: UInt8, to node: Int) -> Int {
        var child = Node(byte: byte)
        child.nextSibling = nodes[node].firstChild
        nodes[node].firstChild = nodes.count
        nodes.append(child)
        return nodes.count - 1
    }

    /// The kinds of the words that the text is made of, long ones first; nil if it is not. The time is proportional to
    /// the text's length times that of the longest word.
    func kinds(of text: [UInt8]) -> KindSet? {
        // The kinds of the words up to each byte.
        var found = [KindSet?](repeating: nil, count: text.count + 1)
        found[0] = KindSet()
        for start in text.indices {
            guard let before = found[start] else { continue }
            forEachWord(of: text, at: start) { end, kind in
                // The word that begins first is the longest one.
                if found[end] == nil { found[end] = before.with(kind) }
            }
        }
        return found[text.count]
    }

    private func forEachWord(of text: [UInt8], at start: Int, _ body: (_ end: Int, ColumnWords.Kind) -> Void) {
        var node = beginnings[Int(text[start])]
        var end = start + 1
        while node != 0 {
            if let kind = nodes[node].kind { body(end, kind) }
            guard end < text.count, let next = child(of: node, text[end]) else { return }
            node = next
            end += 1
        }
    }
}
