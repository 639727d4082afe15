internal import SystemPackage
internal import TondoText

extension Contact {
    /// An id for a contact without one, derived from its names, organisation and addresses, or from its other texts if
    /// it has none of them. The same on every load and machine, and independent of photo and note.
    package var derivedID: String {
        var hash = FNV128()
        addIdentity(to: &hash)
        return "tondo-" + hash.hexadecimal
    }

    /// Distinguishes cards with the same id, see `Identities`: 12 hexadecimal digits from the card's file and everything that
    /// makes it another contact: its names, organisation, ways to reach it, postal addresses, websites, birthday and texts.
    /// The same on every load and machine, and independent of photo, groups and date of change.
    package var fingerprint: String {
        var hash = FNV128()
        hash.add([place?.file.string ?? "", title ?? "", role ?? "", introduction ?? ""])
        addIdentity(to: &hash)
        addDetails(to: &hash)
        return String(hash.hexadecimal.prefix(12))
    }

    private func addIdentity(to hash: inout FNV128) {
        hash.add([name.formatted, name.family, name.given, name.additional, name.prefix, name.suffix])
        hash.add(name.nicknames)
        hash.add(organisation.filter { !$0.isEmpty })
        hash.add(phones.map(\.value))
        hash.add(emails.map(\.value))
        hash.add(Messenger.allCases.compactMap { messenger in messengers[messenger].map { "\(messenger)=\($0)" } })
        if ownName == nil { hash.add([title ?? "", role ?? "", introduction ?? ""]) }
    }

    /// What the derived id leaves out. It must not become a part of that id, which people and caches remember; only of what
    /// distinguishes contacts that have one id. Nothing is added for a card without these, for the same reason.
    private func addDetails(to hash: inout FNV128) {
        if ownName == nil, !social.isEmpty { hash.add(social.map(\.value)) }
        guard !(addresses.isEmpty && websites.isEmpty && birthday == nil && kind == .individual) else { return }
        hash.add(addresses.map(\.value))
        hash.add(websites.map(\.value))
        hash.add([birthday ?? "", kind.rawValue])
    }
}

/// FNV-1a of 128 bits (RFC 9923). Not for adversaries: a forged id only gets a number appended.
private struct FNV128 {
    private var value: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

    /// The number of texts and their lengths separate neighbouring texts.
    mutating func add(_ texts: [String]) {
        add(texts.count)
        for text in texts {
            add(text.utf8.count)
            for byte in text.utf8 { add(byte) }
        }
    }

    private mutating func add(_ number: Int) {
        for shift in stride(from: 0, to: 32, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    @inline(__always)
    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
    }

    var hexadecimal: String { Hex.text(value, digits: 32) }
}
