internal import TondoRedis

/// One entry of a stream, as XRANGE and its kin return it.
struct StreamEntry: Equatable {
    let id: String
    /// Names and values in turn.
    let fields: [[UInt8]]

    /// Nil for an entry that was deleted, which has no fields.
    init?(_ value: RedisValue) {
        guard let parts = value.array, parts.count == 2, let id = parts[0].text, let words = parts[1].array else {
            return nil
        }
        self.id = id
        fields = words.map { $0.bytes ?? [] }
    }

    /// The entries in the reply to XRANGE.
    static func all(_ value: RedisValue) -> [StreamEntry] { (value.array ?? []).compactMap { StreamEntry($0) } }

    func text(_ name: String) -> String? {
        for index in stride(from: 0, to: fields.count - 1, by: 2) where fields[index].elementsEqual(name.utf8) {
            return String(decoding: fields[index + 1], as: UTF8.self)
        }
        return nil
    }

    /// When it was added, in milliseconds since 1970.
    var milliseconds: Int { id.split(separator: "-").first.flatMap { Int($0) } ?? 0 }
}
