internal import TondoDigest

/// A website of a contact as an OpenID of the Libravatar protocol: clients send the SHA-256 of the address, with its scheme and its
/// host in lower case.
struct OpenIDAddress {
    /// All spellings that a person may have logged in with: with http and https, with and without a slash at the end.
    let hashes: [AddressHash]

    /// The longest address. Bytes.
    private static let longest = 1_024

    /// Nil for what is no address of the web.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest,
            let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, !host.contains("@") else { return nil }
        var base = host.lowercased() + rest.dropFirst(host.count)
        while base.hasSuffix("/") { base.removeLast() }
        hashes = ["https://", "http://"].flatMap { scheme in
            ["", "/"].map { AddressHash.sha256(ofText: scheme + base + $0) }
        }
    }
}
