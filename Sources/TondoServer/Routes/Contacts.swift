internal import Hummingbird

extension AvatarService {
    func addContacts(to router: Router<ServiceContext>) {}
}
