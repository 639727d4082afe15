internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

extension EncodedResponse {
    /// The same response for a handler of the router.
    var response: Response {
        let lines = String(buffer: head).split(separator: "\r\n")
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            headers.append(HTTPField(name: name, value: String(parts[1].drop { $0 == " " })))
        }
        let status = lines.first.flatMap { Int($0.dropFirst("HTTP/1.1 ".count).prefix(3)) } ?? 500
        let body = body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
        return Response(status: .init(code: status), headers: headers, body: body)
    }
}
