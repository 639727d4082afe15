/// A photo as `ContactCoder` writes it: its kind, then the parts that this kind has.
struct PhotoParts {
    var tag = ContactCoder.Tag.none
    /// The URL or the path.
    var address = ""
    var crop: PhotoCrop?
    var encoded = EncodedPhoto(bytes: 0..<0, encoding: .base64, characterWidth: 1, fingerprint: 0)

    init(_ photo: ContactPhoto?) {
        switch photo {
        case nil: break
        case .remote(let url):
            tag = .remote
            address = url
        case .file(let path, let part):
            tag = .file
            address = path
            crop = part
        case .inline(.bytes, let part):
            tag = .bytes
            crop = part
        case .inline(.encoded(let text), let part):
            tag = .encoded
            encoded = text
            crop = part
        }
    }

    /// The photo of these parts. `inline`: the bytes of a decoded one, which are kept apart.
    func photo(inline: [UInt8]) -> ContactPhoto? {
        switch tag {
        case .none: nil
        case .remote: .remote(url: address)
        case .file: .file(path: address, crop: crop)
        case .bytes: .inline(.bytes(inline), crop: crop)
        case .encoded: .inline(.encoded(encoded), crop: crop)
        }
    }
}
