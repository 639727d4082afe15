internal import SystemPackage
package import TondoCache
package import TondoImage

/// An entry as JSON, with the part of the photo that its file says it shows: of `tondo cache show`.
package struct ShownEntryReport: Encodable, Sendable {
    private let entry: EntryReport
    private let crop: CropReport?

    private enum Key: CodingKey { case crop }

    /// `crop`: nil if the avatar does not depend on faces.
    package init(_ entry: EntryReport, crop: CropRecord?) {
        self.entry = entry
        self.crop = crop.map { CropReport($0) }
    }

    /// The members of the entry, then `crop`.
    package func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        try members.encodeIfPresent(crop, forKey: .crop)
    }
}
