internal import Hummingbird

extension AvatarService {
    func addCache(to router: Router<ServiceContext>) {}
}
