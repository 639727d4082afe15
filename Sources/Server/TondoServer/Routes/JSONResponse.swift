internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import TondoText

/// Responses with JSON.
enum JSONResponse {
    /// Must be revalidated before each use.
    static func ok(_ json: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-cache"
        headers[.xContentTypeOptions] = "nosniff"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }

    static func ok(report: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        ok(try JSONReport.encode(report), status: status)
    }

    /// A JSON response that is kept, and written without the router.
    static func fast(_ json: [UInt8]) -> EncodedResponse {
        EncodedResponse(
            status: .ok,
            fields: [
                ("Content-Type", "application/json"), ("Cache-Control", "no-cache"),
                ("X-Content-Type-Options", "nosniff"),
            ], body: ByteBuffer(bytes: json))
    }
}
