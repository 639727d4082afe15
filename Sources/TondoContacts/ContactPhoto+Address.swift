internal import TondoText

extension ContactPhoto {
    /// `address`: a URL, or the path of a file. Other schemes than those of files and inline data are remote.
    init(address: String) {
        guard let scheme = Self.scheme(of: address) else {
            self = .file(path: address, crop: nil)
            return
        }
        switch scheme {
        case "file":
            // file:///path, file://host/path and file:/path (RFC 8089).
            var path = address.dropFirst("file:".count)
            if path.hasPrefix("//") { path = path.dropFirst(2).drop { $0 != "/" } }
            self = .file(path: PercentEncoding.decode(folded: String(path)), crop: nil)
        case "data": self = Self.inline(dataURI: address) ?? .remote(url: address)
        default: self = .remote(url: address)
        }
    }

    /// In lower case (RFC 3986 3.1); at least two letters, so that a drive letter is not a scheme.
    private static func scheme(of address: String) -> String? {
        guard let colon = address.firstIndex(of: ":") else { return nil }
        let scheme = address[..<colon].lowercased()
        guard scheme.count > 1, scheme.first?.isLetter == true,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return scheme
    }

    /// RFC 2397.
    private static func inline(dataURI: String) -> ContactPhoto? {
        guard let comma = dataURI.firstIndex(of: ",") else { return nil }
        let isBase64 = dataURI[..<comma].lowercased().hasSuffix(";base64")
        let content = Array(dataURI[dataURI.index(after: comma)...].utf8)
        let unescaped = content.withUnsafeBytes { PercentEncoding.decode(folded: $0) }
        let bytes = isBase64 ? unescaped.withUnsafeBytes { Base64.decode($0) } : unescaped
        return bytes.isEmpty ? nil : .inline(.bytes(bytes), crop: nil)
    }
}
