internal import HTTPTypes
package import Hummingbird
package import Logging
internal import NIOCore
internal import NIOHTTP1

extension HTTPServer {
    /// Answers by a router, and whatever it throws by a problem: our own as it is, others by their status alone, since
    /// their words may name what is nobody's business.
    package static func respond<Context: RequestContext>(
        by router: Router<Context>, guard: RequestGuard, logger: Logger
    ) -> Respond where Context.Source == ApplicationRequestContextSource {
        let responder = router.buildResponder()
        return { request, channel in
            do {
                if let problem = await `guard`.problem(credentials(of: request, channel)) { throw problem }
                let context = Context(source: ApplicationRequestContextSource(channel: channel, logger: logger))
                var response = try await responder.respond(to: request, context: context)
                // Hummingbird gives every answer a length; a 304 would say that the picture is empty (RFC 9110 8.6).
                if response.status == .notModified { response.headers[.contentLength] = nil }
                // The router has answers of its own for what it does not know.
                let isOurs = response.headers[.contentType] == ProblemDetails.contentType
                guard response.status.code >= 400, !isOurs else { return response }
                return problem(status: response.status.code).response
            } catch let problem as ProblemDetails {
                return problem.response
            } catch {
                logger.error("a request failed", metadata: ["error": "\(error)"])
                return problem(status: 500).response
            }
        }
    }

    private static func credentials(of request: Request, _ channel: any Channel) async -> RequestGuard.Credentials {
        let fields = request.headers
        var credentials = RequestGuard.Credentials(
            method: request.method.rawValue, host: request.head.authority, origin: fields[.origin],
            fetchSite: HTTPField.Name("Sec-Fetch-Site").flatMap { fields[$0] }, authorization: fields[.authorization])
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
