internal import TondoText

/// The links that open a phone number, an address or a handle. Nil for texts that are none: a link consists of characters
/// that need no escape, and of percent-encoded ones (RFC 3966, RFC 6068, RFC 3986).
enum ContactLink {
    static func call(_ phone: String) -> String? {
        if let mobile = PhoneMask.russianMobile(phone) { return "tel:+" + mobile }
        return DialledNumber(phone)?.uri
    }

    static func mail(_ address: String) -> String? {
        let named = address.contains("<") ? MailAddress.plain(address) : address.trimmed
        let parts = named.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else {
            return nil
        }
        return "mailto:" + parts.map { PercentEncoding.encode(String($0), as: .pathSegment) }.joined(separator: "@")
    }

    /// Only links to the web: other schemes could run a program. An address without a scheme gets `https:`.
    static func website(_ address: String) -> String? {
        var address = address.trimmed
        let scheme = address.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        // `example.org:8080` has a port, and no scheme.
        if address.dropFirst(scheme.count).first != ":" || scheme.contains(".") { address = "https://" + address }
        let prefix = ["https://", "http://"].first { address.lowercased().hasPrefix($0) }
        guard let prefix, let first = address.dropFirst(prefix.count).unicodeScalars.first,
            first.properties.isAlphabetic || first.properties.numericType != nil || first == "[",
            !address.contains(where: \.isWhitespace)
        else { return nil }
        return PercentEncoding.encode(address, as: .link)
    }

    /// The address on a map.
    static func map(_ address: String) -> String? {
        let lines = address.split(whereSeparator: \.isNewline).joined(separator: ", ")
        let query = PercentEncoding.encode(lines, as: .pathSegment)
        return query.isEmpty || query.utf8.count > 2_000 ? nil : "https://www.openstreetmap.org/search?query=\(query)"
    }

    /// Viber has no address of the web.
    static func message(_ handle: String, messenger: Messenger) -> String? {
        switch messenger {
        case .telegram:
            if let name = telegramName(handle) { return "https://t.me/\(name)" }
            return international(handle).map { "https://t.me/\($0)" }
        case .whatsapp: return international(handle).map { "https://wa.me/\($0.dropFirst())" }
        case .signal: return international(handle).map { "https://signal.me/#p/\($0)" }
        case .threema:
            let id = handle.trimmed.uppercased()
            return id.utf8.count == 8 && id.utf8.allSatisfy(isLetterOrDigit) ? "https://threema.id/\(id)" : nil
        case .viber: return nil
        }
    }

    private static func international(_ phone: String) -> String? {
        if let mobile = PhoneMask.russianMobile(phone) { return "+" + mobile }
        // The account of a messenger has no extension.
        guard let number = DialledNumber(phone), number.extensionDigits == nil, number.digits.first == "+" else {
            return nil
        }
        return number.digits
    }

    private static func telegramName(_ handle: String) -> String? {
        let name = handle.trimmed.drop { $0 == "@" }
        guard 4...32 ~= name.utf8.count, name.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == 0x5F }) else { return nil }
        return name.utf8.first.map { 0x41...0x5A ~= $0 & 0xDF } == true ? String(name) : nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte || 0x41...0x5A ~= byte & 0xDF }
}
