internal import Hummingbird
internal import NIOHTTP1

extension AvatarService {
    /// `GET /` and `/phone`: the viewer page; `GET /viewer/{hash}/{name}`: its other files.
    func addViewer(to router: Router<ServiceContext>) {
        router.get("/") { _, _ in ViewerAssets.own.page.response }
        // Where links for phones lead: over their listener the page is nowhere else.
        router.get(RouterPath(PhoneListener.path)) { _, _ in ViewerAssets.own.page.response }
        router.get("/viewer/:hash/:name") { _, context in
            let (hash, name) = (context.parameters.get("hash") ?? "", context.parameters.get("name") ?? "")
            guard let file = ViewerAssets.own.response(hash: hash, name: name) else {
                throw ProblemDetails(.notFound, code: "not-found")
            }
            return file.response
        }
    }
}
