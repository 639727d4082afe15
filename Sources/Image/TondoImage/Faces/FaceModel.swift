/// The weights with which faces are found.
package struct FaceModel: Sendable {
    private static let magic = Array("TONDOFM1".utf8)

    /// `bytes`: those of a file, which must stay as they are as long as the process runs. Throws if they are no model, or that
    /// of another version.
    package init(_ bytes: UnsafeRawBufferPointer) throws(FaceModelError) {
        guard bytes.count >= Self.magic.count, bytes.starts(with: Self.magic.dropLast()) else { throw .notAModel }
        guard bytes.starts(with: Self.magic) else { throw .otherVersion }
    }
}

/// What is wrong with the bytes of a face model.
package enum FaceModelError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAModel
    /// This program needs a newer one, or an older one.
    case otherVersion

    /// A noun phrase, without the name of the file.
    package var description: String {
        switch self {
        case .notAModel: "not a face model"
        case .otherVersion: "another version of the face model"
        }
    }
}
