/// People with their addresses as bytes, of which most are never read.
struct PackedPeople: Sendable {
    /// The name of each, then each address and its note, with zero bytes between them, which no line has.
    private var bytes: [UInt8] = []
    /// The end of each.
    private var ends: [UInt32] = []

    init() {}

    /// As `encode` wrote it. Nil: other bytes.
    init?(_ reader: inout RowReader) {
        guard let bytes = reader.bytes(), let ends = reader.numbers() else { return nil }
        guard Int(ends.last ?? 0) == bytes.count, zip(ends, ends.dropFirst()).allSatisfy(<) else { return nil }
        self.bytes = bytes
        self.ends = ends
    }

    func encode(to writer: inout RowWriter) {
        writer.put(bytes)
        writer.put(ends)
    }

    var count: Int { ends.count }

    subscript(index: Int) -> AddressTable.Person {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        let parts = bytes[start..<Int(ends[index])].split(separator: 0, omittingEmptySubsequences: false)
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        let addresses = stride(from: 1, to: texts.count - 1, by: 2).map { (text: texts[$0], note: texts[$0 + 1]) }
        return AddressTable.Person(name: texts[0], addresses: addresses)
    }

    mutating func append(_ person: AddressTable.Person) {
        let texts = [person.name] + person.addresses.flatMap { [$0.text, $0.note] }
        bytes += texts.joined(separator: "\0").utf8
        ends.append(UInt32(bytes.count))
    }
}
