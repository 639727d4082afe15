internal import Hummingbird

extension AvatarService {
    func addEvents(to router: Router<ServiceContext>) {}
}
