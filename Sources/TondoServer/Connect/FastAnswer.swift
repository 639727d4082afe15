package import NIOCore
package import NIOHTTP1

/// A whole answer in memory, written without Hummingbird: the status line and the fields as they go over the wire, then
/// the body. `Date` and `Content-Length` are added here; nothing may say `Transfer-Encoding` or `Connection`.
///
/// Made once and kept with what it answers for: writing it copies the head, not the body.
package struct FastAnswer: Sendable {
    let head: ByteBuffer
    let body: ByteBuffer?

    /// `body` of a `HEAD` request is counted, not written. A 304 and a 204 have no body and no length (RFC 9110 8.6).
    package init(
        status: HTTPResponseStatus, fields: [(name: String, value: String)], body: ByteBuffer?, isHead: Bool = false
    ) {
        var head = ByteBuffer()
        head.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for field in fields { head.writeString("\(field.name): \(field.value)\r\n") }
        if status.mayHaveResponseBody { head.writeString("Content-Length: \(body?.readableBytes ?? 0)\r\n") }
        self.head = head
        self.body = isHead || !status.mayHaveResponseBody ? nil : body
    }

    /// The same answer to a `HEAD` request.
    package var withoutBody: FastAnswer { FastAnswer(head: head, body: nil) }

    private init(head: ByteBuffer, body: ByteBuffer?) { (self.head, self.body) = (head, body) }

    /// The head with its date and the empty line.
    func head(date: String, closing: Bool) -> ByteBuffer {
        var bytes = head
        bytes.writeString("Date: ")
        bytes.writeString(date)
        bytes.writeString(closing ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
        return bytes
    }
}
