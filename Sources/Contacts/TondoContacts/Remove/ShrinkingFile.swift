/// A file from which contacts are cut, the last one first. Others may come in their place.
struct ShrinkingFile {
    private let format: BookFormat
    private let layout: TextLayout
    private var file: GapFile
    var work: Int { file.work }

    init(bytes: [UInt8], format: BookFormat) {
        file = GapFile(bytes)
        self.format = format
        layout = TextLayout(bytes)
    }

    /// A copy of what is left.
    var remaining: [UInt8] { file.whole }

    /// `place`: the contact's in the file as it was first. Throws `contactMoved` if it lies behind one that was cut before, and
    /// what `rewrite` throws, which gives the contact other bytes.
    mutating func cut(
        _ place: Range<Int>, rewrite: (([UInt8]) throws(ContactsError) -> [UInt8])? = nil
    ) throws(ContactsError) -> Cut {
        guard place.upperBound <= file.start else { throw .contactMoved }
        file.moveGap(to: place.upperBound)
        let range = cutRange(around: place)
        let removed = file.takeOut(
            before: place.upperBound - range.lowerBound, behind: range.upperBound - place.upperBound)
        // A byte-order mark before the first contact stays.
        let inside = max(place.lowerBound - range.lowerBound, 0)..<place.upperBound - range.lowerBound
        // Copies: slices would share the file's bytes, and the whole file would be copied when others are put in.
        let neighbours = (Array(file.before.suffix(Cut.neighbourhood)), Array(file.behind.prefix(Cut.neighbourhood)))
        var successor: Cut.Successor?
        if let rewrite {
            let text = try rewrite(Array(removed[inside]))
            file.putIn(text)
            successor = Cut.Successor(text[...])
        }
        let head = file.before.prefix(TextLayout.headCount) + file.behind.prefix(TextLayout.headCount)
        return Cut(
            format: format, range: range, removed: removed, contact: inside,
            before: neighbours.0, after: neighbours.1, head: Array(head.prefix(TextLayout.headCount)),
            remainingCount: file.count, remainingHash: file.hash, successor: successor)
    }

    /// The contact and its separator, from the text around the contact, of which long white space can need more.
    private func cutRange(around contact: Range<Int>) -> Range<Int> {
        // An even number, so that both bytes of a character in UTF-16 are in it.
        var reach = 64
        while true {
            let (first, behind) = (max(contact.lowerBound - reach, 0), file.behind.prefix(reach))
            let part = FileUnits(
                bytes: Array(file.before[first...] + behind), layout: first == 0 ? layout : layout.withoutMark)
            let cut = part.cut(around: contact.lowerBound - first..<contact.upperBound - first, format)
            let margin = 4 * part.width
            let hasStart = first == 0 || cut.lowerBound > margin
            let hasEnd = behind.count == file.behind.count || cut.upperBound + margin < part.bytes.count
            if hasStart, hasEnd { return cut.lowerBound + first..<cut.upperBound + first }
            reach *= 4
        }
    }
}
