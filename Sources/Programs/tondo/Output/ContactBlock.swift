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
        block.add("Name", value: contact.displayName.isEmpty ? "none" : contact.displayName.withoutLineEnds)
        addNames(to: &block)
        block.add("Id", value: contact.id)
        if contact.kind != .individual { block.add("Kind", value: contact.kind.rawValue) }
        block.add("Organisation", values: contact.organisation.filter { !$0.isEmpty })
        block.add("Title", value: contact.title)
        block.add("Role", value: contact.role)
        block.add("Phones", values: contact.phones.map(ContactText.point))
        block.add("E-mail", values: contact.emails.map(ContactText.point))
        for address in contact.addresses { block.add("Address", values: Self.lines(of: ContactText.point(address))) }
        block.add("Websites", values: contact.websites.map(ContactText.point))
        block.add("Birthday", value: contact.birthday)
        block.add("Anniversary", value: contact.anniversary)
        block.add("Social", values: contact.social.map(ContactText.point))
        var (names, related) = (ContactNames(read.contents.contacts), contact.related)
        for index in related.indices { related[index].value = names.name(ofReference: related[index].value) }
        block.add("Related", values: related.map(ContactText.point))
        for messenger in Messenger.allCases {
            guard let handle = contact.messengers[messenger] else { continue }
            block.add(ContactText.title(messenger), value: handle.isEmpty ? "yes" : PhoneMask.masked(handle))
        }
        block.add("Groups", value: contact.groups.isEmpty ? nil : contact.groups.map(\.name).joined(separator: ", "))
        block.add("Online", value: contact.isOnline.map { $0 ? "yes" : "no" })
        if contact.isVIP { block.add("VIP", value: "yes") }
        block.add("Introduction", values: contact.introduction.map { Self.lines(of: $0) } ?? [])
        block.add("Chat", values: contact.chatLog)
        block.add("Members", values: contact.members.map { names.name(ofReference: $0) })
        block.add("Photo", value: photo)
        block.add("Crop", value: crop.map(ContactText.crop))
        block.add("Changed", value: contact.revision)
        block.add("Place", value: place)
        return block.text(width: width)
    }

    private func addNames(to block: inout KeyValueBlock) {
        let name = contact.name
        for (title, part) in [
            ("Prefix", name.prefix), ("Given", name.given), ("Additional", name.additional), ("Family", name.family),
            ("Suffix", name.suffix),
        ] where !part.isEmpty {
            block.add(title, value: part)
        }
        let sorted = [name.sortFamily, name.sortGiven].filter { !$0.isEmpty }.joined(separator: " ")
        block.add("Sorts as", value: sorted.isEmpty ? nil : sorted)
        block.add("Nicknames", value: name.nicknames.isEmpty ? nil : name.nicknames.joined(separator: ", "))
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

    private static func lines(of text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }
}
