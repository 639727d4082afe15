internal import Hummingbird

extension AvatarService {
    func addAvatars(to router: Router<ServiceContext>) {}
}
