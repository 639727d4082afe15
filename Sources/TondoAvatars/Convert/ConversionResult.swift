package import SystemPackage
internal import TondoCache
package import TondoImage

/// What became of one photo.
package struct ConversionResult: Sendable {
    /// `ignored`: a stray in a folder, no photo at all. `left`: not begun, since its pictures' folder takes none.
    package enum Status: String, Sendable { case done, skipped, failed, ignored, left }

    /// Where a picture comes from. `kept`: the file there already was this picture.
    package enum Source: String, Sendable { case kept, cache, rendered }

    /// One written (or kept) picture.
    package struct Picture: Sendable {
        package var path: FilePath
        package var style: Style
        package var source: Source
        /// Size of the file, when it was written.
        package var bytes: Int

        package var isWritten: Bool { source != .kept }
    }

    /// Why nothing, or not everything, was drawn.
    package struct Failure: Error, Sendable {
        /// "probe", "limits", "decode", "file" or "contact"
        package var stage: String
        package var code: String
        package var message: String
        /// It was not tried again: the cache remembers it.
        package var isRemembered = false
        /// The same was the matter with a photo before: the folder takes no pictures. People read it once.
        package var isRepeated = false
        /// The reader of standard output went away.
        package var isBrokenPipe = false
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
        case let error as RememberedFailure:
            self.init(
                stage: error.failure.stage, code: error.failure.code, message: error.description, isRemembered: true)
        case let error as FileError:
            self.init(stage: "file", code: error.code, message: error.description)
            isBrokenPipe = error.errno == .brokenPipe
        case let error as PhotoProblem: self.init(stage: "contact", code: error.code, message: error.description)
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
    /// Pictures among the written ones that came out of the cache.
    package var cached = 0
    /// Bytes written.
    package var bytes = 0
    package var seconds = 0.0
    package var isInterrupted = false
    /// Photos that were not begun.
    package var left = 0
    /// Contacts without a photo.
    package var photoless = 0
    /// Sub-folders that were not looked into.
    package var unentered = 0

    package init() {}

    package mutating func add(_ result: ConversionResult) {
        inputs += result.status == .left ? 0 : 1
        switch result.status {
        case .done: done += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        case .ignored: ignored += 1
        case .left: break
        }
        written += result.pictures.count { $0.isWritten }
        cached += result.pictures.count { $0.source == .cache }
        bytes += result.pictures.reduce(0) { $0 + $1.bytes }
    }
}
