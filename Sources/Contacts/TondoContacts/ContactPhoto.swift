internal import TondoText

/// A contact's photo, not read yet.
package enum ContactPhoto: Hashable, Sendable {
    /// Inside the book.
    case inline(InlinePhoto, crop: PhotoCrop?)
    /// A file that the book names: absolute, or relative to the folder of the naming file. The reader checks whether it
    /// is inside the book's folder.
    case file(path: String, crop: PhotoCrop?)
    /// A URL. The service never requests it; `tondo sync` does for hosts that the configuration permits.
    case remote(url: String)
}

/// The part of the photo that the contact shows: pixels of the oriented photo, `y` counted from its bottom. May extend
/// beyond the photo.
package struct PhotoCrop: Hashable, Sendable {
    /// From the left edge of the photo; may be negative.
    package var x: Int
    /// From the bottom edge of the photo to that of the crop; may be negative.
    package var y: Int
    /// Pixels; more than the photo's if the crop sticks out.
    package var width: Int
    /// Pixels; at least one in the crops that are read from vCards.
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// A photo inside a book, kept as the position of its text so that a book with many photos needs little memory.
package enum InlinePhoto: Hashable, Sendable {
    /// Already decoded.
    case bytes([UInt8])
    /// Text in the contact's file; read those bytes and pass them to `EncodedPhoto.decoded(from:)`.
    case encoded(EncodedPhoto)
}

extension InlinePhoto {
    /// Bytes of memory that decoding needs.
    package var decodingMemory: Int {
        switch self {
        case .bytes(let bytes): 2 * bytes.count
        case .encoded(let photo): photo.decodingMemory
        }
    }
}

extension ContactPhoto {
    /// `address`: a URL, or the path of a file. Other schemes than those of files and inline data are remote.
    init(address: String) {
        if let picture = Self.inline(text: address) {
            self = picture
            return
        }
        guard let scheme = Self.scheme(of: address) else {
            var address = address
            let ofHost = address.withUTF8 { Self.beginning(ofHost: UnsafeRawBufferPointer($0)) }
            self = ofHost.map { .remote(url: $0 + address) } ?? .file(path: address, crop: nil)
            return
        }
        switch scheme {
        case "file": self = .file(path: Self.path(ofFileURI: address), crop: nil)
        case "data": self = Self.inline(dataURI: address) ?? .remote(url: address)
        default: self = .remote(url: address)
        }
    }

    /// `file:///path`, `file://host/path`, `file:path` (RFC 8089). The host is assumed to be this one.
    static func path(ofFileURI uri: String) -> String {
        var path = uri.dropFirst("file:".count)
        if path.hasPrefix("//") { path = path.dropFirst(2).drop { $0 != "/" } }
        return PercentEncoding.decode(folded: String(path))
    }

    /// What is missing before `//host.example/path`, which has the scheme of the page that it was written for, and before
    /// `host.example/path?size=80`, as no file is called. A name without a dot is none of a host.
    static func beginning(ofHost text: UnsafeRawBufferPointer) -> String? {
        let hasSlashes = ASCII.has("//", in: text)
        let host = text.dropFirst(hasSlashes ? 2 : 0).prefix { $0 != UInt8(ascii: "/") }
        guard host.dropFirst().contains(UInt8(ascii: ".")) else { return nil }
        if hasSlashes { return "https:" }
        let isHost = host.allSatisfy { ASCII.isLetter($0) || (0x2D...0x39).contains($0) }
        let isName = isHost && host.reversed().prefix { $0 != UInt8(ascii: ".") }.allSatisfy(ASCII.isLetter)
        let path = text[host.endIndex...]
        return isName && host.last != UInt8(ascii: ".") && path.dropFirst().contains(UInt8(ascii: "?"))
            ? "https://" : nil
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

    /// A picture in whatever encoding, see `PictureText`.
    private static func inline(text: String) -> ContactPhoto? {
        var text = text
        return text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            guard let (start, encoding) = PictureText.find(in: bytes) else { return nil }
            return .inline(.bytes(encoding.decode(UnsafeRawBufferPointer(rebasing: bytes[start...]))), crop: nil)
        }
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
