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
                .init(id: "1", name: "total", data: "{\"count\":2}"), .init(id: "1", name: "reset", data: "a\nb"),
            ])
    }
}
