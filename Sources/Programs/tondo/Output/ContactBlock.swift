import TondoAvatars
import TondoContacts
import TondoText

/// All details of one contact, for humans.
struct ContactBlock {
    private let contact: Contact
    private let read: ReadBook

    init(_ contact: Contact, in read: ReadBook) {
        self.contact = contact
        self.read = read
    }

    /// `width`: cells per line, nil for no limit.
    func text(width: Int?) -> String {
        var block = KeyValueBlock()
        block.add("Name", contact.displayName.isEmpty ? "none" : contact.displayName)
        addNames(to: &block)
        block.add("Id", contact.id)
        if contact.kind != .individual { block.add("Kind", contact.kind.rawValue) }
        block.add("Organisation", contact.organisation)
        block.add("Title", contact.title)
        block.add("Role", contact.role)
        block.add("Phones", contact.phones.map(ContactText.point))
        block.add("E-mail", contact.emails.map(ContactText.point))
        for address in contact.addresses { block.add("Address", Self.lines(ContactText.point(address))) }
        block.add("Websites", contact.websites.map(ContactText.point))
        block.add("Birthday", contact.birthday)
        for messenger in Messenger.allCases {
            guard let handle = contact.messengers[messenger] else { continue }
            block.add(ContactText.title(messenger), handle.isEmpty ? "yes" : PhoneMask.masked(handle))
        }
        block.add("Groups", contact.groups.isEmpty ? nil : contact.groups.map(\.name).joined(separator: ", "))
        block.add("Online", contact.isOnline.map { $0 ? "yes" : "no" })
        if contact.isVIP { block.add("VIP", "yes") }
        block.add("Introduction", contact.introduction.map { Self.lines($0) } ?? [])
        block.add("Chat", contact.chatLog)
        block.add("Members", contact.members)
        block.add("Photo", photo)
        block.add("Crop", crop.map(ContactText.crop))
        block.add("Changed", contact.revision)
        block.add("Place", place)
        return block.text(width: width)
    }

    private func addNames(to block: inout KeyValueBlock) {
        let name = contact.name
        for (title, part) in [
            ("Prefix", name.prefix), ("Given", name.given), ("Additional", name.additional), ("Family", name.family),
            ("Suffix", name.suffix),
        ] where !part.isEmpty {
            block.add(title, part)
        }
        block.add("Nicknames", name.nicknames.isEmpty ? nil : name.nicknames.joined(separator: ", "))
    }

    private var photo: String {
        switch contact.photo {
        case .inline(let inline, _)?:
            do { return "inline, \(ByteAmount.text(try read.photos.bytes(of: inline, of: contact).count))" } catch {
                return "inline, unreadable: \(error)"
            }
        case .file(let path, _)?: return path
        case .remote(let url)?: return "\(url) (remote)"
        case nil: return "none"
        }
    }

    private var crop: PhotoCrop? {
        switch contact.photo {
        case .inline(_, let crop)?, .file(_, let crop)?: crop
        default: nil
        }
    }

    private var place: String? {
        guard let place = contact.place, let file = read.file(of: contact) else { return nil }
        return "\(file):\(place.line)"
    }

    private static func lines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
}
