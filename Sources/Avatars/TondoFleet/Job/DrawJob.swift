package import TondoImage

/// A job of the work stream: one photo in some styles. It names the photo and holds none, but for initials, which are a line of
/// text.
package struct DrawJob: Equatable, Sendable {
    /// Where a worker finds the photo.
    package enum Source: Equatable, Sendable {
        /// A file that the workers reach under the same absolute path.
        case file(String)
        /// A key of the avatar instance, where the photo's bytes stay for a while.
        case blob(String)
        /// An `InitialsDrawing` as bytes.
        case initials([UInt8])
        case silhouette

        fileprivate var name: String {
            switch self {
            case .file: "file"
            case .blob: "blob"
            case .initials: "initials"
            case .silhouette: "silhouette"
            }
        }

        fileprivate var value: [UInt8] {
            switch self {
            case .file(let path): Array(path.utf8)
            case .blob(let key): Array(key.utf8)
            case .initials(let bytes): bytes
            case .silhouette: []
            }
        }

        fileprivate init?(_ name: String, value: [UInt8]) {
            switch name {
            case "file": self = .file(String(decoding: value, as: UTF8.self))
            case "blob": self = .blob(String(decoding: value, as: UTF8.self))
            case "initials": self = .initials(value)
            case "silhouette": self = .silhouette
            default: return nil
            }
        }
    }

    /// The requester that waits for the result; empty: none does.
    package var run: String
    /// The number of the job in its run.
    package var number: Int
    /// Recorded in the cache with the avatars.
    package var contact: String
    /// SHA-256 of the photo as 64 digits, for people and for equal jobs: a worker draws the photo that it finds.
    package var digest: String
    package var crop: CropRectangle?
    package var source: Source
    package var styles: [Style]

    package init(
        run: String, number: Int, contact: String, digest: String, crop: CropRectangle? = nil, source: Source,
        styles: [Style]
    ) {
        self.run = run
        self.number = number
        self.contact = contact
        self.digest = digest
        self.crop = crop
        self.source = source
        self.styles = styles
    }
}

// MARK: As an entry of a stream

extension DrawJob {
    /// Another number: workers refuse the job, and leave it to newer ones.
    private static let version = "1"
    /// Bytes of one field: a stream holds no photo. A path has at most 4,096.
    package static let longestField = 8_192
    private static let mostStyles = 64
    /// Names and values of an entry.
    static let mostFields = 64

    /// Names and values in turn, as XADD takes them.
    package var fields: [[UInt8]] {
        var texts = [
            ("v", Self.version), ("run", run), ("n", String(number)), ("contact", contact), ("digest", digest),
        ]
        if let crop { texts.append(("crop", "\(crop.x),\(crop.y),\(crop.width),\(crop.height)")) }
        texts.append(("styles", styles.map(StyleText.text).joined(separator: ";")))
        texts.append(("photo", source.name))
        return texts.flatMap { [Array($0.0.utf8), Array($0.1.utf8)] } + [Array("at".utf8), source.value]
    }

    /// Why an entry is no job. The stream may be written by others: nothing of it is trusted.
    package enum Malformed: String, Error, Sendable { case version, fields, size }

    package init(fields: [[UInt8]]) throws(Malformed) {
        guard fields.count <= Self.mostFields, fields.allSatisfy({ $0.count <= Self.longestField }) else { throw .size }
        var values: [String: [UInt8]] = [:]
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            values[String(decoding: fields[index], as: UTF8.self)] = fields[index + 1]
        }
        func text(_ name: String) -> String? { values[name].map { String(decoding: $0, as: UTF8.self) } }
        guard text("v") == Self.version else { throw .version }
        guard let run = text("run"), let number = text("n").flatMap({ Int($0) }), let contact = text("contact"),
            let digest = text("digest"), let list = text("styles"),
            let source = Source(text("photo") ?? "", value: values["at"] ?? [])
        else { throw .fields }
        let styles = list.split(separator: ";").map { StyleText.style(String($0)) }
        guard (1...Self.mostStyles).contains(styles.count), styles.allSatisfy({ $0 != nil }) else { throw .fields }
        var crop: CropRectangle?
        if let text = text("crop") {
            let sides = text.split(separator: ",").map { Int($0) }
            guard sides.count == 4, let x = sides[0], let y = sides[1], let width = sides[2], let height = sides[3]
            else { throw .fields }
            crop = CropRectangle(x: x, y: y, width: width, height: height)
        }
        self.init(
            run: run, number: number, contact: contact, digest: digest, crop: crop, source: source,
            styles: styles.compactMap(\.self))
    }
}
