internal import HTTPTypes
package import Hummingbird
internal import NIOCore
package import NIOHTTP1
internal import TondoText

/// An error as clients receive it (RFC 9457, `application/problem+json`).
///
/// `code` is stable, for programs; `detail` is for humans. Neither ever contains a path of the file system.
package struct ProblemDetails: Error, Equatable, Sendable {
    /// The HTTP status, which the JSON repeats.
    package let status: Int
    /// Words joined by hyphens: `not-found`, `queue-full`...
    package let code: String
    /// The reason phrase of the status.
    package let title: String
    /// The cause or the remedy, in a sentence or two; nil: the code says enough.
    package let detail: String?
    /// Seconds until a retry makes sense.
    package let retryAfter: Int?
    /// For 405.
    package let allow: String?

    /// `allow`: the permitted methods, separated by commas.
    package init(
        _ status: HTTPResponseStatus, code: String, detail: String? = nil, retryAfter: Int? = nil, allow: String? = nil
    ) {
        self.status = Int(status.code)
        title = status.reasonPhrase
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
        self.allow = allow
    }

    /// The media type of a problem in JSON (RFC 9457).
    package static let contentType = "application/problem+json"

    /// One JSON object. Its `type` is `about:blank` (RFC 9457 4.2.1): there is no page about the problem to link to.
    package var json: String {
        var text = #"{"type":"about:blank","title":\#(JSONEscapes.quoted(title, style: .markup)),"status":\#(status)"#
        text += #","code":\#(JSONEscapes.quoted(code, style: .markup))"#
        if let detail { text += #","detail":\#(JSONEscapes.quoted(detail, style: .markup))"# }
        return text + "}"
    }

    /// The fields of a response with this problem, except the length: no validators and no cache fields.
    package var fields: [(name: String, value: String)] {
        var fields = [("Content-Type", Self.contentType), ("X-Content-Type-Options", "nosniff")]
        if let retryAfter { fields.append(("Retry-After", "\(retryAfter)")) }
        if status == 401 { fields.append(("WWW-Authenticate", "Bearer")) }
        if let allow { fields.append(("Allow", allow)) }
        return fields
    }

    /// For the fast path, which writes bytes past the router.
    package var encodedResponse: EncodedResponse {
        let status = HTTPResponseStatus(statusCode: status)
        return EncodedResponse(status: status, fields: fields, body: ByteBuffer(string: json))
    }

    /// For the handlers of the router.
    package var response: Response {
        var headers = HTTPFields()
        for field in fields {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        return Response(
            status: .init(code: status, reasonPhrase: title), headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: json)))
    }
}
