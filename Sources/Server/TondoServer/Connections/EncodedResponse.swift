package import NIOCore
package import NIOHTTP1

/// A complete response in memory, written without Hummingbird: the bytes of the status line and the fields, then the
/// body. `Date`, `Content-Length` and `Cross-Origin-Resource-Policy` are added here; `ResponseFraming` decides about
/// `Connection` and whether the body is written.
///
/// Encoded once and kept with the avatar: writing it copies the head, not the body.
package struct EncodedResponse: Sendable {
    let head: ByteBuffer
    let body: ByteBuffer?
    let status: Int
    /// Pages of other sites may show it.
    var isCrossOrigin = false
    /// Counts the memory of the body until the connection does.
    var held: OutputBody?

    /// A 304 and a 204 have no body and no length (RFC 9110 8.6).
    package init(status: HTTPResponseStatus, fields: [(name: String, value: String)], body: ByteBuffer?) {
        var head = ByteBuffer()
        head.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for field in fields { head.writeString("\(field.name): \(field.value)\r\n") }
        if status.mayHaveResponseBody { head.writeString("Content-Length: \(body?.readableBytes ?? 0)\r\n") }
        self.head = head
        self.status = Int(status.code)
        self.body = status.mayHaveResponseBody ? body : nil
    }

    /// The head with its date and the empty line. `connection`: the value of the field, nil without it.
    func head(date: String, connection: String?) -> ByteBuffer {
        var bytes = head
        bytes.writeString(isCrossOrigin ? Self.shared : Self.ownOrigin)
        bytes.writeString(date)
        if let connection {
            bytes.writeString("\r\nConnection: ")
            bytes.writeString(connection)
        }
        bytes.writeString("\r\n\r\n")
        return bytes
    }

    private static let shared = "Cross-Origin-Resource-Policy: cross-origin\r\nDate: "
    private static let ownOrigin = "Cross-Origin-Resource-Policy: same-origin\r\nDate: "
}
