internal import HTTPTypes
internal import Hummingbird

extension AvatarService {
    /// `GET /v1/events`: the event stream; with `Last-Event-ID` it begins with a replay.
    func addEvents(to router: Router<ServiceContext>) {
        let lastEventID = HTTPField.Name("Last-Event-ID")
        router.get("/v1/events") { [broadcaster] request, _ in
            let last = lastEventID.flatMap { request.headers[$0] }
            return broadcaster.subscribe(after: ServerSentEvent.lastID(last)).response
        }
    }
}
