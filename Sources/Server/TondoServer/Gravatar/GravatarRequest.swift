internal import TondoContacts
internal import TondoImage
internal import TondoText

/// The request `GET /avatar/HASH?...`, compatible with Gravatar and Libravatar. Invalid parameters are ignored, as they
/// do, and a word in place of the hash gets the fallback: `/avatar/undefined?d=mp`.
package struct GravatarRequest: Equatable, Sendable {
    /// The response for an address without a photo.
    package enum Fallback: Equatable, Sendable {
        case notFound
        case generated(DefaultImage.Kind)
        /// The letters that the client names, else those of the name that it names; without any of them, as for an
        /// unknown kind.
        case initials
        /// A URL at an allowed host.
        case redirect(String)
    }

    /// Pixels of a side. A larger number means the largest; 0 is ignored.
    package static let sizes = 1...2_048

    /// The one spelling of a target: clients write `//avatar/HASH`, `/avatar//HASH` and `/avatar/HASH/` where parts of an address are
    /// joined, `/avatar/` for a person without an address, `&`, `;` or `%3F` in place of the first `?`, escapes that are not needed,
    /// and a fragment, which no client should send. Nil if it has no other spelling. `target`: path and query.
    static func canonical(_ target: String) -> String? {
        let plain = "/" + String(target.drop { $0 == "/" }.prefix { $0 != "#" })
        let path = plain.prefix { $0 != "?" }
        guard ["/avatar", "/avatar.php"].contains(path) || path.hasPrefix(start) else { return nil }
        return spelling(of: plain) ?? (plain == target ? nil : plain)
    }

    private static func spelling(of target: String) -> String? {
        let path = target.prefix { $0 != "?" }
        if path == "/avatar.php" { return ofFirstInterface(target.dropFirst(path.count + 1)) }
        if path == start || path + "/" == start { return ofParameters(target.dropFirst(path.count + 1)) }
        let parts = path.dropFirst(start.count).split(separator: "/")
        guard parts.count <= 1 else { return nil }
        let head = (parts.first ?? "").prefix { $0 != "&" && $0 != ";" }
        // An escaped question mark, and the parameters that were escaped with it. Blanks and line ends stay escaped.
        let mark = head.firstRange(of: "%3F") ?? head.firstRange(of: "%3f")
        let component = head[..<(mark?.lowerBound ?? head.endIndex)]
        let text = mark.flatMap { PercentEncoding.decodeStrictly(head[$0.upperBound...].utf8) } ?? ""
        let escaped = PercentEncoding.encode(text, as: .link)
        let queries = [escaped[...], (parts.first ?? "").dropFirst(head.count + 1), target.dropFirst(path.count + 1)]
        let query = queries.filter { !$0.isEmpty }.joined(separator: "&")
        let canonical = Self.target(component.isEmpty ? noHash : unescaped(component), query: query)
        return canonical == target ? nil : canonical
    }

    /// The hash of an empty address, which no contact has.
    private static let noHash = AddressHash.md5(of: "").hexadecimal

    private static func target(_ hash: String, query: String) -> String {
        start + hash + (query.isEmpty ? "" : "?" + query)
    }

    /// A program appended the hash to a base address that has a parameter: `/avatar?d=identicon/HASH?s=80`. A default of the web has
    /// slashes of its own.
    private static func ofParameters(_ query: Substring) -> String {
        guard let slash = query.lastIndex(of: "/"), !query.contains("://") else {
            return target(noHash, query: String(query))
        }
        let rest = query[query.index(after: slash)...]
        let hash = rest.prefix { $0 != "?" && $0 != "&" }
        guard AddressHash(hash) != nil else { return target(noHash, query: String(query)) }
        return target(String(hash), query: "\(query[..<slash])&\(rest.dropFirst(hash.count + 1))")
    }

    private static let start = "/avatar/"

    /// Gravatar's first interface: `/avatar.php?gravatar_id=HASH&size=80`.
    private static func ofFirstInterface(_ query: Substring) -> String? {
        let (name, pairs) = ("gravatar_id=", query.split(separator: "&"))
        let hash = pairs.first { $0.hasPrefix(name) }?.dropFirst(name.count) ?? ""
        let rest = pairs.filter { !$0.hasPrefix(name) }.joined(separator: "&")
        let target = Self.target(String(hash), query: rest)
        return canonical(target) ?? target
    }

    /// Without blanks around it, and with the characters that need no escape (RFC 3986 6.2.2.2); anything else stays.
    private static func unescaped(_ component: Substring) -> String {
        guard component.contains("%"), let text = PercentEncoding.decodeStrictly(component.utf8) else {
            return String(component)
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, words[0].utf8.allSatisfy(AddressHash.isInWord) else { return String(component) }
        return String(words[0])
    }

    /// From the last component of the path, without its file extension.
    package let hash: AddressHash
    /// Pixels.
    package var size = 80
    /// From the parameter `d`; the neutral person if it is missing or invalid.
    package var fallback = Fallback.generated(.person)
    /// Show the fallback even if there is a photo.
    package var forcesFallback = false
    /// From the parameter `shape`, whose default is the setting `round`.
    package var isCircle = false
    /// The part of a photo that is shown, from the parameter of this name.
    var crop = Style.Crop.face
    /// Letters that the client names.
    package var initials: String?
    /// A name that the client names.
    package var name: String?
    /// The format of a photo. A generated avatar is a PNG, which has fewer bytes for pictures of few colours.
    var format: FormatPreference

    /// `component`: the last one of the path. `query`: percent-encoded. `allowedHosts`: allowed targets of redirects,
    /// in lower case. `isRound`: the default shape is a circle.
    package init?(
        component: some StringProtocol, query: String, allowedHosts: Set<String> = [], isRound: Bool = false,
        acceptsWebP: Bool = false
    ) {
        guard let hash = AddressHash(component) ?? AddressHash(word: component) else { return nil }
        self.hash = hash
        format = FormatPreference(named: AddressHash.format(component), acceptsWebP: acceptsWebP)
        isCircle = isRound
        for pair in Self.pairs(of: query) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty,
                let name = PercentEncoding.decodeStrictly(parts[0].utf8, plusIsBlank: true)?.lowercased(),
                let value = PercentEncoding.decodeStrictly(parts[1].utf8, plusIsBlank: true)
            else { continue }
            let short = ["size": "s", "default": "d", "forcedefault": "f"][name] ?? name
            // The last of equal names that has a value counts, as at Gravatar: programs append theirs to those of a base address.
            // Templates leave blanks and line ends around values.
            let trimmed = value.reversed().drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }
            read(short, value: String(trimmed), allowedHosts: allowedHosts)
        }
    }

    /// The parameters, which a client may separate by semicolons, as HTML 4 advised (B.2.2), or escape as a whole. A page may write
    /// its own "?" before one; only the address of a default has signs that belong to it. A part without an equals sign, such as
    /// that of "&amp;", is none.
    private static func pairs(of query: String) -> [Substring] {
        let isWhole = !query.contains("=") && (query.contains("%3D") || query.contains("%3d"))
        let plain = isWhole ? PercentEncoding.decodeStrictly(query.utf8) ?? query : query
        return plain.split(separator: "&").flatMap { pair -> [Substring] in
            guard pair.contains("/") || pair.contains(":") else { return pair.split { $0 == "?" || $0 == ";" } }
            let name = pair.prefix { $0 != "=" }
            return [pair[(name.lastIndex(of: ";").map(pair.index(after:)) ?? pair.startIndex)...]]
        }
    }

    private mutating func read(_ name: String, value: String, allowedHosts: Set<String>) {
        switch name {
        case "s":
            if let size = Self.size(value), Self.sizes ~= size { self.size = size }
        case "d": fallback = Self.fallback(value, allowedHosts: allowedHosts) ?? fallback
        // The interface says y; some clients send 1.
        case "f": forcesFallback = ["y", "yes", "1", "true"].contains(value.lowercased())
        case "initials": initials = GivenInitials.letters(of: value)
        case "name": self.name = value.utf8.count <= Self.longestName ? value : nil
        case "format": format.named = AvatarFormat.Name(rawValue: value.lowercased()) ?? format.named
        case "crop": crop = Style.Crop(rawValue: value.lowercased()) ?? crop
        case "shape" where value.lowercased() == Style.Shape.circle.rawValue: isCircle = true
        case "shape" where value.lowercased() == Style.Shape.square.rawValue: isCircle = false
        default: break
        }
    }

    /// Bytes.
    private static let longestName = 256

    /// Pages multiply by the pixels of a point, which may give a fraction: its whole part counts. Others write the unit, as in a
    /// style sheet, or width and height: `40px`, `40x40`. Nil for what is no size.
    private static func size(_ value: String) -> Int? {
        let digits = value.prefix { $0.isASCII && $0.isNumber }
        let rest = value[digits.endIndex...].lowercased()
        let isPlain = rest.utf8.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
        guard !digits.isEmpty, isPlain && [nil, ".", ",", "x"].contains(rest.first) || rest == "px" else { return nil }
        // A number with too many digits for an integer is above the maximum, too.
        return min(Int(digits) ?? .max, sizes.upperBound)
    }

    private static func fallback(_ value: String, allowedHosts: Set<String>) -> Fallback? {
        let word = value.lowercased()
        if word == "404" { return .notFound }
        // Kinds of others, whose pictures Tondo does not have.
        if ["mm", "monsterid", "wavatar", "robohash"].contains(word) { return .generated(.person) }
        if word == "initials" { return .initials }
        if let kind = DefaultImage.Kind(rawValue: word) { return .generated(kind) }
        for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where word.hasPrefix(scheme) {
            // No line ends, and nothing that browsers read as a slash.
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0x5C && $0 != 0x22 }) else { return nil }
            // With a port, and with a user name: neither is among the allowed hosts.
            var host = word.dropFirst(scheme.utf8.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if host.hasSuffix(port) { host.removeLast(port.count) }
            // A Location field has no blanks and no letters beyond ASCII, and clients write them.
            return allowedHosts.contains(String(host)) ? .redirect(PercentEncoding.encode(value, as: .link)) : nil
        }
        return nil
    }
}
