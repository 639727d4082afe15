import NIOCore
import Testing

@testable import TondoServer

@Suite struct PictureAnswerTests {
    private let picture = PictureAnswer(png: ByteBuffer(string: "PNG"), key: "k", policy: .revalidate)

    private func head(_ answer: FastAnswer) -> String { String(buffer: answer.head(date: "now", connection: nil)) }

    @Test func `A client that has the avatar gets its tag and no bytes`() {
        let answer = picture.answer(ifNoneMatch: #""k""#)
        #expect(
            head(answer) == "HTTP/1.1 304 Not Modified\r\nETag: \"k\"\r\nCache-Control: no-cache\r\n"
                + "Cross-Origin-Resource-Policy: same-origin\r\nDate: now\r\n\r\n")
        #expect(answer.body == nil)
    }

    @Test func `A client without the picture gets its length and its bytes`() {
        #expect(head(picture.answer(ifNoneMatch: nil)).contains("Content-Length: 3\r\n"))
        #expect(picture.answer(ifNoneMatch: #""x""#).body == ByteBuffer(string: "PNG"))
    }
}
