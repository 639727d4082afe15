internal import Hummingbird

extension AvatarService {
    func addState(to router: Router<ServiceContext>) {}
}
