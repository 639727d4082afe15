internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

extension EncodedResponse {
    /// What is held counts until the connection has the bytes: released before, it would be made again for the next request.
    private static func body(_ bytes: ByteBuffer, holding held: OutputBody?) -> ResponseBody {
        guard let held else { return ResponseBody(byteBuffer: bytes) }
        return ResponseBody(contentLength: bytes.readableBytes) { writer in
            try await writer.write(bytes)
            try await writer.finish(nil)
            withExtendedLifetime(held) {}
        }
    }

    /// This response for a handler of the router.
    var response: Response {
        let lines = String(buffer: head).split(separator: "\r\n")
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            headers.append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " })))
        }
        let status = lines.first.flatMap { Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) } ?? 500
        let body = body.map { Self.body($0, holding: held) } ?? ResponseBody()
        return Response(status: .init(code: status), headers: headers, body: body)
    }
}
