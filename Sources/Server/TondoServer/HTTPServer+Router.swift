internal import HTTPTypes
package import Hummingbird
package import Logging
internal import NIOCore
internal import NIOHTTP1

extension HTTPServer {
    /// Responds with a router, and with a problem if it throws: an own problem as it is, other errors by their status
    /// alone, since their text may contain private data.
    package static func respond<Context: RequestContext>(
        by router: Router<Context>, guard: RequestGuard, logger: Logger
    ) -> Respond where Context.Source == ApplicationRequestContextSource {
        let responder = router.buildResponder()
        let table = RouteTable(routes: router.routes.map { ($0.path.description, $0.method.rawValue) })
        return { request, channel in
            let request = canonical(request)
            let credentials = await credentials(of: request, channel, phone: `guard`.phone)
            var response: Response
            do {
                try check(credentials, by: `guard`, table: table)
                let context = Context(source: ApplicationRequestContextSource(channel: channel, logger: logger))
                if let methods = methodsForMonitors(credentials) {
                    response = methods
                } else {
                    response = try await responder.respond(to: asGet(request), context: context)
                }
                if response.status.code >= 400, response.headers[.contentType] != ProblemDetails.contentType {
                    // The router has its own responses for unknown paths.
                    response = problem(status: response.status.code).response
                }
            } catch let problem as ProblemDetails {
                let page = RefusalPage.response(
                    to: request, problem: problem, isFromPhone: credentials.isFromPhone)
                response = page ?? problem.response
            } catch {
                logger.error("request failed", metadata: ["error": "\(error)"])
                response = problem(status: 500).response
            }
            finish(&response, of: request, credentials: credentials, by: `guard`)
            return response
        }
    }

    /// A path that may not be read is refused before the response reveals whether it exists; a missing method is
    /// reported before the token is checked.
    private static func check(
        _ request: RequestGuard.Credentials, by guard: RequestGuard, table: RouteTable
    ) throws(ProblemDetails) {
        if methodsForMonitors(request) != nil { return }
        if let problem = `guard`.problem(seeing: request) { throw problem }
        if let problem = table.problem(of: request.method, path: request.path) { throw problem }
        if OriginGuard.isSafe(request.method) { return }
        if let problem = `guard`.problem(changing: request) { throw problem }
    }

    /// `OPTIONS *` asks for the methods of the service as a whole (RFC 9110 9.3.7), and `OPTIONS /` is what load balancers ask
    /// by default. Both learn only that the service is there.
    private static func methodsForMonitors(_ request: RequestGuard.Credentials) -> Response? {
        let known = ["*": "GET, HEAD, POST, PUT, DELETE, OPTIONS", "/": "GET, HEAD, OPTIONS"]
        guard request.method == "OPTIONS", let methods = known[request.target] else { return nil }
        return Response(status: .noContent, headers: [.allow: methods])
    }

    /// An avatar's path has several spellings, all of which are public; other paths have one, see `RouteTable`.
    private static func canonical(_ request: Request) -> Request {
        guard let target = GravatarRequest.canonical(request.head.path ?? "") else { return request }
        var head = request.head
        head.path = target
        return Request(head: head, body: request.body)
    }

    /// A `HEAD` is handled like a `GET`; the fast path handler drops the body.
    private static func asGet(_ request: Request) -> Request {
        guard request.method == .head else { return request }
        var head = request.head
        head.method = .get
        return Request(head: head, body: request.body)
    }

    private static func finish(
        _ response: inout Response, of request: Request, credentials: RequestGuard.Credentials, by guard: RequestGuard
    ) {
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") {
            response.headers[name] = `guard`.allowsOtherOrigins(credentials) ? "cross-origin" : "same-origin"
        }
        if let name = HTTPField.Name(PublicOrigin.field.name) {
            response.headers[name] = PublicOrigin.isGiven(to: credentials) ? PublicOrigin.field.value : nil
        }
        // Hummingbird gives every response a length; for a 304 it would mean that the avatar is empty (RFC 9110 8.6).
        if response.status == .notModified { response.headers[.contentLength] = nil }
        // An event stream would never end although its body is not sent, and its length is not 0.
        guard request.method == .head, response.body.contentLength == nil else { return }
        response.body = ResponseBody()
        response.headers[.contentLength] = nil
    }

    private static func credentials(
        of request: Request, _ channel: any Channel, phone: PhoneListener
    ) async -> RequestGuard.Credentials {
        let fields = request.headers
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
        var credentials = RequestGuard.Credentials(
            method: request.method.rawValue, target: request.head.path ?? "", host: request.head.authority,
            origin: fields[.origin], fetchSite: field("Sec-Fetch-Site"), authorization: fields[.authorization],
            connection: ConnectionPeer(channel, phone: phone),
            isForwarded: fields.contains { ProxyHeaders.isProxyHeader($0.name.rawName) })
        credentials.isNavigation = field("Sec-Fetch-Mode") == "navigate" && field("Sec-Fetch-Dest") == "document"
        if !OriginGuard.isSafe(credentials.method) { credentials.peer = await PeerCredentials.of(channel) }
        return credentials
    }

    /// A problem whose code is its status in words: `not-found`.
    private static func problem(status: Int) -> ProblemDetails {
        let status = HTTPResponseStatus(statusCode: status)
        let words = status.reasonPhrase.lowercased().split { !("a"..."z" ~= $0) }
        return ProblemDetails(status, code: words.joined(separator: "-"))
    }
}
