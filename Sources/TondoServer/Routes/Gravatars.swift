internal import Hummingbird

extension AvatarService {
    func addGravatars(to router: Router<ServiceContext>) {}
}
