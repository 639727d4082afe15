import TondoContacts

extension ContactFailure {
    /// `book.vcf:12`, and where in it.
    var place: String {
        [line.map { "\(file):\($0)" } ?? "\(file)", path].compactMap(\.self).joined(separator: ": ")
    }
}
