internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOHTTP1

extension AvatarService {
    /// `GET /v1/events`: the event stream; with `Last-Event-ID` or `after` it begins with a replay.
    func addEvents(to router: Router<ServiceContext>) {
        let lastEventID = HTTPField.Name("Last-Event-ID")
        router.get("/v1/events") { [addressBooks, broadcaster, options] request, _ in
            let field = lastEventID.flatMap { request.headers[$0] }
            let last = try field.map { ServerSentEvent.lastID($0) } ?? Self.after(request.uri)
            return broadcaster.subscribe(after: last).response {
                EventGreeting(revision: addressBooks.revision, version: options.version)
            }
        }
    }

    /// The number in `after`; nil without it.
    private static func after(_ uri: URI) throws(ProblemDetails) -> UInt64? {
        guard let text = uri.queryParameters["after"] else { return nil }
        guard let last = ServerSentEvent.lastID(String(text)) else {
            throw .badParameter("after", "the seq of an event")
        }
        return last
    }
}
