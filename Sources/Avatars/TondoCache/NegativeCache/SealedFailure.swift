/// A negative entry for a store that other instances share, as in its file: with its subject and a checksum.
extension Failure {
    /// The bytes to store, which `init(sealed:subject:)` checks and reads.
    package var sealed: [UInt8] { FailureFile.bytes(of: self) }

    /// Nil if the bytes were not written for this subject.
    package init?(sealed: [UInt8], subject: String) {
        guard sealed.count <= FailureFile.largest,
            let failure = FailureFile.failure(
                String(decoding: sealed, as: UTF8.self), key: CacheKey(recipe: subject)),
            failure.subject == subject
        else { return nil }
        self = failure
    }
}
