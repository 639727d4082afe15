import NIOCore
import Testing

@testable import TondoServer

@Suite struct PictureAnswerTests {
    private let picture = PictureAnswer(png: ByteBuffer(string: "PNG"), key: "k", policy: .revalidate)

    private func head(_ answer: FastAnswer) -> String { String(buffer: answer.head(date: "now", closing: false)) }

    @Test func `Whoever has the picture gets its tag and no bytes`() {
        let answer = picture.answer(ifNoneMatch: #""k""#, isHead: false)
        #expect(
            head(answer) == "HTTP/1.1 304 Not Modified\r\nETag: \"k\"\r\nCache-Control: no-cache\r\nDate: now\r\n\r\n")
        #expect(answer.body == nil)
    }

    @Test func `HEAD tells the length and gives no bytes`() {
        let answer = picture.answer(ifNoneMatch: nil, isHead: true)
        #expect(head(answer).contains("Content-Length: 3\r\n") && answer.body == nil)
        #expect(picture.answer(ifNoneMatch: #""x""#, isHead: false).body == ByteBuffer(string: "PNG"))
    }
}
