/// Parses server-sent events (WHATWG HTML 9.2.6) from input in pieces of any size.
struct EventReader {
    struct Event: Equatable {
        var name: String
        var data: String
    }

    private var rest: [UInt8] = []
    /// The last byte was a carriage return: a following line feed belongs to it.
    private var endsInReturn = false
    private var name = ""
    private var data: [String] = []

    /// A line ends with CR LF, LF or CR only: U+2028 is a normal character.
    mutating func read(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        var start = 0
        for (index, byte) in bytes.enumerated() {
            defer { endsInReturn = byte == 0x0D }
            guard byte == 0x0A || byte == 0x0D else { continue }
            defer { start = index + 1 }
            // The two bytes of one line end may come in two pieces.
            if byte == 0x0A, endsInReturn { continue }
            let line = rest + bytes[start..<index]
            rest.removeAll(keepingCapacity: true)
            if let event = take(line) { events.append(event) }
        }
        rest += bytes[start...]
        return events
    }

    /// An empty line ends an event; an event without data is dropped.
    private mutating func take(_ line: [UInt8]) -> Event? {
        guard !line.isEmpty else {
            defer {
                name = ""
                data = []
            }
            return data.isEmpty ? nil : Event(name: name, data: data.joined(separator: "\n"))
        }
        let field = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(field.count + 1)
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: field, as: UTF8.self) {
        case "event": name = text
        case "data": data.append(text)
        default: break
        }
        return nil
    }
}
