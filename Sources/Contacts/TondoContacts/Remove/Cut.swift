/// The removed bytes of a contact, and the file around them. Where the contact was not removed but changed, other bytes are in
/// their place.
package struct Cut: Equatable, Sendable {
    /// The format of the file, which decides what a separator is.
    package let format: BookFormat
    /// The removed range of the file: the contact and its separator.
    package let range: Range<Int>
    /// The bytes of `range`, as the trash keeps them.
    package let removed: [UInt8]
    /// The contact itself in `removed`.
    package let contact: Range<Int>
    /// Up to 64 bytes on either side.
    let before: [UInt8]
    let after: [UInt8]
    /// The first bytes of what is left.
    let head: [UInt8]
    let remainingCount: Int
    let remainingHash: String
    /// What is in the place of the contact now; nil: nothing.
    let successor: Successor?

    /// By which the new bytes of a changed contact are known again.
    struct Successor: Hashable, Sendable, Codable {
        let bytes: Int
        /// The text of a `JoinedHash`.
        let fingerprint: String

        init(_ text: ArraySlice<UInt8>) {
            bytes = text.count
            fingerprint = JoinedHash(text).text
        }
    }

    /// The contact has the bytes that it had before.
    package var isEmpty: Bool { successor == Successor(removed[contact]) }

    static let neighbourhood = 64
}
