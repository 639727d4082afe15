import TondoContacts

extension ContactFailure {
    /// `book.vcf:12`, and the path inside the entry.
    var place: String {
        [line.map { "\(file):\($0)" } ?? "\(file)", path].compactMap(\.self).joined(separator: ": ")
    }
}
