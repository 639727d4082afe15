/// The removed bytes of a contact, and the file around them.
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

    static let neighbourhood = 64
}
