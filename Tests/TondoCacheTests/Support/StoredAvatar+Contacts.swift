@testable import TondoCache

extension StoredAvatar {
    /// The contacts of the entry.
    var contacts: [String] { EntryTrailer.kept(Fields(fields).all("contact")) }
}
