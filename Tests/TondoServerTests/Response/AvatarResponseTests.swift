import NIOCore
import Testing

@testable import TondoServer

@Suite struct AvatarResponseTests {
    private let avatar = AvatarResponse(
        bytes: ByteBuffer(string: "PNG"), type: "image/png", key: "k", policy: .revalidate)

    private func head(_ response: EncodedResponse) -> String {
        String(buffer: response.head(date: "now", connection: nil))
    }

    @Test func `A client that has the avatar gets its tag and no bytes`() {
        let response = avatar.response(ifNoneMatch: #""k""#)
        #expect(
            head(response) == "HTTP/1.1 304 Not Modified\r\nETag: \"k\"\r\nCache-Control: no-cache\r\n"
                + "Cross-Origin-Resource-Policy: same-origin\r\nDate: now\r\n\r\n")
        #expect(response.body == nil)
    }

    @Test func `A client without the picture gets its length and its bytes`() {
        #expect(head(avatar.response(ifNoneMatch: nil)).contains("Content-Length: 3\r\n"))
        #expect(avatar.response(ifNoneMatch: #""x""#).body == ByteBuffer(string: "PNG"))
    }
}
