internal import Hummingbird

extension AvatarService {
    /// `GET /`: the page that shows the faces.
    func addViewer(to router: Router<ServiceContext>) {
        router.get("/") { _, _ in ViewerPage.own.answer.response }
    }
}
