/// Takes server-sent events apart (WHATWG HTML 9.2.6) as they come in, in pieces of any size.
struct EventReader {
    struct Event: Equatable {
        var id: String?
        var name: String
        var data: String
    }

    private var rest: [UInt8] = []
    private var id: String?
    private var name = ""
    private var data: [String] = []

    mutating func read(_ bytes: [UInt8]) -> [Event] {
        rest += bytes
        var events: [Event] = []
        var start = 0
        while let end = rest[start...].firstIndex(of: 0x0A) {
            if let event = take(String(decoding: rest[start..<end], as: UTF8.self)) { events.append(event) }
            start = end + 1
        }
        rest.removeFirst(start)
        return events
    }

    /// An empty line ends an event; one without data is none.
    private mutating func take(_ line: String) -> Event? {
        guard !line.isEmpty else {
            defer { (name, data) = ("", []) }
            return data.isEmpty ? nil : Event(id: id, name: name, data: data.joined(separator: "\n"))
        }
        let field = line.prefix { $0 != ":" }
        let value = line.dropFirst(field.count + 1)
        let text = String(value.first == " " ? value.dropFirst() : value)
        switch field {
        case "id": id = text
        case "event": name = text
        case "data": data.append(text)
        default: break
        }
        return nil
    }
}
