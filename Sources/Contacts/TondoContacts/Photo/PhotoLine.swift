private import FoundationEssentials

/// The text of a PHOTO as readers of each version of vCard expect it.
struct PhotoLine {
    enum Version {
        /// 2.1: base64 is called so, and an empty line ends it.
        case old
        /// 3.0 (RFC 2426 3.1.4), and cards that name no version or another one.
        case middle
        /// 4.0: a data: URI (RFC 6350 6.2.4), without escapes (errata 3845).
        case new
    }

    let version: Version
    /// Connects the line to others of the card.
    let group: String?

    /// All lines, with their ends. `indent`: blanks before each.
    func text(_ photo: CardPhoto.Replacement, lineEnd: [UInt8], indent: Int) -> [UInt8] {
        let value = Data(photo.bytes).base64EncodedData()
        var text = Self.folded(Array(head(photo).utf8) + value, lineEnd: lineEnd, indent: indent)
        if version == .old { text += lineEnd }
        return text
    }

    /// Everything before the base64.
    private func head(_ photo: CardPhoto.Replacement) -> String {
        let type = MediaType.of(photo.bytes)
        var parts = [(group.map { $0 + "." } ?? "") + "PHOTO"]
        if let crop = photo.crop { parts.append(crop.parameter) }
        let word = "TYPE=" + type.dropFirst("image/".count).uppercased()
        switch version {
        case .old: return (parts + ["ENCODING=BASE64", word]).joined(separator: ";") + ":"
        case .middle: return (parts + ["ENCODING=b", word]).joined(separator: ";") + ":"
        case .new: return parts.joined(separator: ";") + ":data:\(type);base64,"
        }
    }

    /// Bytes of a line without its end (RFC 6350 3.2).
    private static let longest = 75

    /// Folded in every version, with a blank before each further line: readers of 2.1 that take a line for a property by its
    /// first letters are not misled. No line but the last ends in an equals sign, which could be read as a soft line break.
    private static func folded(_ line: [UInt8], lineEnd: [UInt8], indent: Int) -> [UInt8] {
        let blanks = [UInt8](repeating: 0x20, count: indent)
        var text: [UInt8] = []
        text.reserveCapacity(line.count + (line.count / longest + 1) * (lineEnd.count + indent + 1))
        var start = 0
        while start < line.count {
            var end = min(start + longest - (start > 0 ? 1 : 0), line.count)
            if end < line.count {
                while end > start + 1, line[end - 1] == UInt8(ascii: "=") { end -= 1 }
            }
            text += blanks
            if start > 0 { text.append(0x20) }
            text += line[start..<end]
            text += lineEnd
            start = end
        }
        return text
    }
}

extension PhotoCrop {
    /// As Apple's programs write it, without the digest of the photo at its end.
    var parameter: String { "X-ABCROP-RECTANGLE=ABClipRect_1&\(x)&\(y)&\(width)&\(height)&" }
}

/// The date of a card's last change (RFC 6350 6.7.4, RFC 2426 3.6.4).
enum Revision {
    /// In UTC, in the notation of the former value. Another notation than a date or a time becomes the one that the version
    /// recommends. `now`: seconds since 1970.
    static func text(like former: String, version: PhotoLine.Version, now: Int) -> String {
        let extended = Date(timeIntervalSince1970: Double(now)).formatted(.iso8601)
        let basic = extended.filter { $0 != "-" && $0 != ":" }
        let digits = former.filter(\.isNumber).count
        let (hasTime, hasSigns) = (former.contains { $0 == "T" || $0 == "t" }, former.dropFirst(4).first == "-")
        if digits == 8, !hasTime { return String(hasSigns ? extended.prefix(10) : basic.prefix(8)) }
        if digits >= 8, hasTime { return hasSigns ? extended : basic }
        return version == .new ? basic : extended
    }
}
