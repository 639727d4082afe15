/// A file into which contacts of the trash return, one after the other.
struct GrowingFile {
    private let records: [TrashRecord]
    /// The file as it was, and where its contacts are, by their ids.
    private let former: (file: [UInt8], places: [String: Range<Int>])
    private var file: GapFile
    /// Where the neighbours of the contacts are; nil until another program turns out to have changed the file.
    private var neighbours: TextOccurrences?
    /// Behind the last element of a JSON array, and the text before a further one.
    private var arrayEnd: (place: Int, comma: [UInt8])?
    /// The restored contacts on each side of the gap, those next to it last. Before it, their positions are counted from
    /// the file's start, behind it from its end.
    private var before: [(offset: Int, record: TrashRecord)] = []
    private var behind: [(offset: Int, record: TrashRecord)] = []
    /// See `TrashRecord.Batch`.
    private(set) var present: Set<Int> = []

    /// Bytes that were moved, hashed or searched so far: the cost.
    var work: Int { file.work + (neighbours?.work ?? 0) + others }
    private var others = 0
    var bytes: [UInt8] { file.whole }

    /// `places`: of the file's contacts by their ids.
    init(bytes: [UInt8], places: [String: Range<Int>] = [:], records: [TrashRecord]) {
        self.records = records
        former = (bytes, places)
        file = GapFile(bytes, room: records.reduce(0) { $0 + $1.bytes.count })
    }

    /// The restored contacts in the order of the file, with their positions.
    var places: [(offset: Int, record: TrashRecord)] {
        before + behind.reversed().map { (file.count - $0.offset, $0.record) }
    }

    /// In the order of the records. Throws if one does not fit.
    mutating func restoreAll() throws(ContactsError) {
        for (number, record) in records.enumerated() { try restore(record, number: number) }
    }

    private mutating func restore(_ record: TrashRecord, number: Int) throws(ContactsError) {
        if record.isAsLeft(count: file.count, hash: file.hash) {
            return insert(
                record, attempt: TrashRecord.Attempt(bytes: record.bytes, at: record.offset, contact: record.contact))
        }
        // Another program changed the file: now it must be searched for the place.
        if neighbours == nil {
            neighbours = TextOccurrences(of: records.flatMap { [$0.neighbours, $0.beginning] }, in: file)
        }
        if isPresent(record) {
            present.insert(number)
        } else if try record.isBack(in: former.file, at: former.places[record.id]) {
            present.insert(number)
        } else {
            insert(record, attempt: try attempt(record))
        }
    }

    /// See `TrashRecord.isPresent`.
    private mutating func isPresent(_ record: TrashRecord) -> Bool {
        let text = record.surrounded
        guard text.count >= TrashRecord.leastNeighbours else { return false }
        let places = neighbours?.occurrences(of: record.beginning, in: file) ?? []
        for place in places where place + text.count <= file.count {
            others += text.count
            if file.bytes(place..<place + text.count) == text { return true }
        }
        return false
    }

    /// The best one.
    private mutating func attempt(_ record: TrashRecord) throws(ContactsError) -> TrashRecord.Attempt {
        if file.count == 0 { return record.intoNothing }
        let place = place(of: record)
        switch record.format {
        case "vcard", "ldif", "csv":
            let place = place ?? file.count
            let (part, start) = lines(around: place)
            guard let piece = record.pieces(for: part, at: place - start).first else { throw .contactMoved }
            return record.insertingLines(piece, into: part, at: place - start).moved(by: start)
        case "json" where place == nil: return try elementAttempt(record)
        default:
            guard let place else { throw .contactMoved }
            return TrashRecord.Attempt(bytes: record.bytes, at: place, contact: record.contact)
        }
    }

    /// Between its neighbours, if they are in one place only.
    private func place(of record: TrashRecord) -> Int? {
        guard record.neighbours.count >= TrashRecord.leastNeighbours,
            let place = neighbours?.onlyOccurrence(of: record.neighbours, in: file)
        else { return nil }
        return place + record.before.suffix(Cut.neighbourhood).count
    }

    /// So much of the file that the line end near the place is in it as in the whole file, and its offset.
    private mutating func lines(around place: Int) -> (part: FileUnits, start: Int) {
        let layout = TextLayout(file.bytes(0..<min(TextLayout.headCount, file.count)))
        var reach = 256
        while true {
            let range = max(place - reach, 0)..<min(place + reach, file.count)
            let part = FileUnits(bytes: file.bytes(range), layout: range.lowerBound == 0 ? layout : layout.withoutMark)
            others += range.count
            let inside = place - range.lowerBound
            if range == 0..<file.count || Self.hasLineEnd(near: inside, in: part, isStart: range.lowerBound == 0) {
                return (part, range.lowerBound)
            }
            // By a factor, so that a file of one line costs little more than its size.
            reach *= 4
        }
    }

    /// `isStart`: the part is the beginning of the file. Elsewhere, both characters of the line end must be in it.
    private static func hasLineEnd(near place: Int, in part: FileUnits, isStart: Bool) -> Bool {
        let width = part.width
        let first = isStart ? part.layout.markCount : 4 * width
        if stride(from: place - width, through: first, by: -width).contains(where: part.isLineEnd) { return true }
        let last = part.bytes.count - 4 * width
        return isStart && stride(from: place, to: last, by: width).contains(where: part.isLineEnd)
    }

    /// As the last element of the array, which is looked for once.
    private mutating func elementAttempt(_ record: TrashRecord) throws(ContactsError) -> TrashRecord.Attempt {
        if let (place, comma) = arrayEnd {
            let layout = TextLayout(file.bytes(0..<min(TextLayout.headCount, file.count)))
            guard let piece = record.pieces(for: FileUnits(bytes: [], layout: layout), at: 0).first
            else { throw .contactMoved }
            return TrashRecord.Attempt(
                bytes: comma + piece, at: place, contact: comma.count..<comma.count + piece.count)
        }
        others += file.count
        let units = FileUnits(file.whole)
        guard let attempt = try record.elementAttempts(on: units).first else { throw .contactMoved }
        arrayEnd = (attempt.offset, TrashRecord.comma(of: units))
        return attempt
    }

    private mutating func insert(_ record: TrashRecord, attempt: TrashRecord.Attempt) {
        let added = attempt.bytes.count
        moveGap(to: attempt.offset)
        file.putIn(attempt.bytes)
        neighbours?.takeInsertion(of: added, in: file)
        before.append((attempt.contact.lowerBound, record))
        // A further element comes behind this one, if it is at the end itself.
        if let (place, comma) = arrayEnd, attempt.offset <= place { arrayEnd = (place + added, comma) }
    }

    private mutating func moveGap(to place: Int) {
        file.moveGap(to: place)
        neighbours?.move(to: file.start, of: file.count)
        while let last = before.last, last.offset >= file.start {
            before.removeLast()
            behind.append((file.count - last.offset, last.record))
        }
        while let last = behind.last, file.count - last.offset < file.start {
            behind.removeLast()
            before.append((file.count - last.offset, last.record))
        }
    }
}
