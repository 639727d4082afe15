package import SystemPackage
package import TondoImage

/// What became of one photo.
package struct ConversionResult: Sendable {
    /// `ignored`: a stray in a folder, no photo at all.
    package enum Status: String, Sendable { case done, skipped, failed, ignored }

    /// One written (or kept) picture.
    package struct Picture: Sendable {
        package var path: FilePath
        package var style: Style
        /// False: the file there already was this picture.
        package var isWritten: Bool
        /// Size of the file, when it was written.
        package var bytes: Int
    }

    /// Why nothing, or not everything, was drawn.
    package struct Failure: Error, Sendable {
        /// "probe", "limits", "decode" or "file"
        package var stage: String
        package var code: String
        package var message: String
    }

    package var input: ConversionInput
    package var status: Status
    package var pictures: [Picture] = []
    package var header: ImageHeader?
    package var warnings: [Warning] = []
    package var failure: Failure?
    /// Milliseconds from opening the photo to its last picture's rename.
    package var milliseconds = 0.0
}

extension ConversionResult.Failure {
    init(_ error: any Error) {
        switch error {
        case let error as RenderError:
            self.init(stage: error.stage.rawValue, code: error.error.code, message: error.description)
        case let error as FileError: self.init(stage: "file", code: error.code, message: error.description)
        default: self.init(stage: "file", code: "file", message: "\(error)")
        }
    }
}

/// Counts over a whole conversion.
package struct ConversionSummary: Equatable, Sendable {
    package var inputs = 0
    package var done = 0
    package var skipped = 0
    package var failed = 0
    /// Files in folders that are no pictures.
    package var ignored = 0
    package var written = 0
    /// Bytes written.
    package var bytes = 0
    package var seconds = 0.0
    package var isInterrupted = false
    /// Photos that were not begun.
    package var left = 0
    /// Sub-folders that were not looked into.
    package var unentered = 0

    package init() {}

    package mutating func add(_ result: ConversionResult) {
        inputs += 1
        switch result.status {
        case .done: done += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        case .ignored: ignored += 1
        }
        written += result.pictures.count { $0.isWritten }
        bytes += result.pictures.reduce(0) { $0 + $1.bytes }
    }
}
