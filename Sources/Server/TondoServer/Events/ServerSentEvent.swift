/// The format of one event in `text/event-stream` (WHATWG HTML 9.2.6).
package enum ServerSentEvent {
    /// `id`, `event` and the lines of `data`, ended by an empty line.
    package static func frame(id: UInt64?, name: String, data: String) -> String {
        var frame = ""
        if let id { frame += "id: \(id)\n" }
        frame += "event: \(oneLine(name))\n"
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
            frame += "data: \(line)\n"
        }
        return frame + "\n"
    }

    /// The milliseconds after which a browser reconnects; not an event, since it has no data.
    static let retry = "retry: 2000\n\n"

    /// Keeps proxies from closing an idle stream; not an event.
    package static let heartbeat = ":\n\n"

    /// The id of a `Last-Event-ID`; nil if it is not a number of this service.
    package static func lastID(_ value: String?) -> UInt64? {
        guard let value, !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return UInt64(value)
    }

    /// Only these two end a line of the stream: U+2028 and similar are characters of the text.
    private static func isLineEnd(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }

    private static func oneLine(_ text: String) -> String {
        String(text.filter { !isLineEnd($0) })
    }
}
