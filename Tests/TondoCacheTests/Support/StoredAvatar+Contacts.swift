@testable import TondoCache

extension StoredAvatar {
    /// The contacts of the entry.
    var contacts: [String] { EntryTrailer.kept(Fields(fields).all("contact")) }
}

extension Fields {
    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
}
