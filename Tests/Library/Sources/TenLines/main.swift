import Tondo

var options = ContactLoader.Options()
options.styles = [AvatarStyle(size: 48, scale: 2)]
options.cacheFolder = CommandLine.arguments[2]
let loader = try ContactLoader(book: CommandLine.arguments[1], options)
for try await event in loader.events() {
    switch event {
    case .total(let count): print("\(count) people")
    case .contact(_, let contact): print("person \(contact.displayName)")
    case .avatar(let avatar): print("face \(avatar.contact) \(avatar.url ?? "")")
    case .avatarFailed(let failure): print("no face \(failure.contact): \(failure.message)")
    default: break
    }
}
