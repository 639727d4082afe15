import Testing

@testable import tondo

@Suite struct EventReaderTests {
    private static let stream =
        ":\n\nid: 1\nevent: total\ndata: {\"count\":2}\n\nevent: reset\ndata: a\ndata: b\n\nevent: x\n\n"

    @Test(arguments: 1...9) func `Events come whole, whatever the pieces`(size: Int) {
        var reader = EventReader()
        var events: [EventReader.Event] = []
        let bytes = Array(Self.stream.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += reader.read(Array(bytes[start...].prefix(size)))
        }
        #expect(
            events == [
                .init(name: "total", data: "{\"count\":2}"), .init(name: "reset", data: "a\nb"),
            ])
    }

    private func events(_ stream: String) -> [String] {
        var reader = EventReader()
        return stream.utf8.flatMap { reader.read([$0]) }.map(\.data)
    }

    @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}", "\u{301}"])
    func `Nothing but CR and LF ends a line`(character: String) {
        #expect(events("data:\(character)a\(character)b\n\n") == ["\(character)a\(character)b"])
    }

    @Test(arguments: ["\n", "\r", "\r\n"]) func `Lines end with CR, LF or both`(end: String) {
        #expect(events("data: a\(end)data: b\(end)\(end)data: c\(end)\(end)") == ["a\nb", "c"])
    }
}
