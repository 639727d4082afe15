internal import Hummingbird

extension AvatarService {
    /// `GET /`: the viewer page.
    func addViewer(to router: Router<ServiceContext>) {
        router.get("/") { _, _ in ViewerPage.own.encoded.response }
    }
}
