internal import Hummingbird
internal import NIOHTTP1

extension AvatarService {
    /// `GET /` and `/phone`: the viewer page; `GET /worker.js` and `/manifest.webmanifest`, `/favicon.ico` and `/robots.txt`; `GET /viewer/{hash}/{name}`: its
    /// other files.
    func addViewer(to router: Router<ServiceContext>) {
        router.get("/") { _, _ in ViewerAssets.own.page.response }
        // Where links for phones lead: over their listener the page is nowhere else.
        router.get(RouterPath(PhoneListener.path)) { _, _ in ViewerAssets.own.page.response }
        for name in ViewerAssets.pinnedNames + ViewerAssets.unaskedNames {
            router.get("/\(name)") { _, _ in
                guard let file = ViewerAssets.own.response(pinned: name) else {
                    throw ProblemDetails(.notFound, code: "not-found")
                }
                return file.response
            }
        }
        router.get("/viewer/:hash/:name") { _, context in
            let (hash, name) = (context.parameters.get("hash") ?? "", context.parameters.get("name") ?? "")
            guard let file = ViewerAssets.own.response(hash: hash, name: name) else {
                throw ProblemDetails(.notFound, code: "not-found")
            }
            return file.response
        }
    }
}
