import Testing
import TondoServer

@Suite struct ServerSentEventTests {
    @Test func `Each line of the data has its field, and a name is one line`() {
        let frame = ServerSentEvent.frame(id: 7, name: "con\ntact", data: "a\nb\r\n\nc")
        #expect(frame == "id: 7\nevent: contact\ndata: a\ndata: b\ndata: \ndata: c\n\n")
        #expect(ServerSentEvent.frame(id: nil, name: "x", data: "") == "event: x\ndata: \n\n")
    }

    @Test(arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}"])
    func `Nothing but CR and LF ends a line`(character: String) {
        let data = "a\(character)b"
        #expect(ServerSentEvent.frame(id: nil, name: "x", data: data) == "event: x\ndata: \(data)\n\n")
    }

    @Test func `Only a number is a last id`() {
        #expect(ServerSentEvent.lastID("12") == 12)
        for text in [nil, "", "-1", "+1", "x", "1 ", "99999999999999999999"] {
            #expect(ServerSentEvent.lastID(text) == nil)
        }
    }
}
