private import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import TondoQR
internal import TondoText

extension AvatarService {
    /// `POST /v1/session/codes`: a code for a new session; `POST /v1/session`: its token for a code; `DELETE /v1/session`: its
    /// end; `POST /v1/session/phone`: a link with a code for a phone.
    func addSession(to router: Router<ServiceContext>) {
        router.post("/v1/session/codes") { _, _ in
            var object = JSONObject()
            object.add("code", self.sessions.makeCode())
            object.add("expiresIn", Int(SessionTable.codeLifetime.components.seconds))
            object.add("url", self.options.address())
            return Self.secret(object)
        }
        router.post("/v1/session/phone") { _, _ in try self.phoneLink() }
        router.post("/v1/session") { request, _ in
            let code = try await Self.document(
                SessionCode.self, of: request, member: "code", allowed: "the code of tondo open"
            ).code
            guard let token = self.sessions.token(for: code) else { throw ProblemDetails.badCode }
            var object = JSONObject()
            // In the body, not as a cookie: all ports of a host share its cookies.
            object.add("token", token)
            object.add("expiresIn", Int(SessionTable.tokenLifetime.components.seconds))
            return Self.secret(object)
        }
        router.delete("/v1/session") { request, _ in
            guard self.sessions.end(heldBy: request.headers[.authorization]) else { throw ProblemDetails.noSession }
            return Response(status: .noContent)
        }
    }

    private func phoneLink() throws(ProblemDetails) -> Response {
        let phone = requestGuard.phone
        if phone.port == nil { throw .notListening }
        guard let link = phone.link(by: sessions), let code = QRCode(link.url.utf8) else { throw .noNetwork }
        let lifetime = Double(PhoneListener.codeLifetime.components.seconds)
        var object = JSONObject()
        object.add("url", link.url)
        object.add("addresses", link.addresses)
        object.add("expires", Date(timeIntervalSinceNow: lifetime).formatted(.iso8601))
        // For a page that draws it, as that of a contact.
        object.add("rows", code.rows)
        return Self.secret(object)
    }

    /// The JSON in the body of a request. Throws `bad-parameter`, which names a member.
    static func document<Document: Decodable>(
        _ type: Document.Type, of request: Request, member: String, allowed: String
    ) async throws(ProblemDetails) -> Document {
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: ConnectionLimits().bodyBytes) } catch is NIOTooManyBytesError {
            throw RequestRefusal.body
        } catch { throw RequestRefusal.malformed }
        do { return try JSONDecoder().decode(type, from: Data(body.readableBytesView)) } catch {
            if case DecodingError.typeMismatch(let wanted, let context)? = error as? DecodingError,
                let wrong = context.codingPath.first?.stringValue, wrong != member
            {
                throw .badParameter(
                    wrong, wanted == String.self ? "a text" : wanted == Int.self ? "a number" : "of another type")
            }
            throw .badParameter(member, allowed)
        }
    }

    /// No cache keeps it.
    private static func secret(_ object: JSONObject) -> Response {
        var response = JSONResponse.ok(object.bytes)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

private struct SessionCode: Decodable {
    var code: String
}

extension ProblemDetails {
    fileprivate static let badCode = ProblemDetails(
        .forbidden, code: "bad-code", detail: "The code is wrong or used, or has run out.")
    fileprivate static let noSession = ProblemDetails(
        .notFound, code: "no-session", detail: "The token is not that of a session.")
    fileprivate static let notListening = ProblemDetails(
        .conflict, code: "not-listening",
        detail: "The service does not listen for phones; tondo serve --phone, or the setting phone, does.")
    fileprivate static let noNetwork = ProblemDetails(
        .conflict, code: "no-network", detail: "This machine has no address that a phone could reach.")
}
