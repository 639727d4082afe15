package import SystemPackage
internal import TondoCache
internal import TondoFiles
package import TondoImage

/// The result of converting one photo.
package struct ConversionResult: Sendable {
    /// `ignored`: another kind of file in a folder. `left`: not started, since its output folder takes no files.
    package enum Status: String, Sendable { case done, skipped, failed, ignored, left }

    /// The source of an avatar. `kept`: the existing file was this avatar.
    package enum Source: String, Sendable { case kept, cache, rendered }

    /// One written (or kept) avatar.
    package struct Output: Sendable {
        package var path: FilePath
        package var style: Style
        package var source: Source
        /// Size of the file, if it was written.
        package var bytes: Int

        package var isWritten: Bool { source != .kept }
    }

    /// Why none or not all avatars were drawn.
    package struct Failure: Error, Sendable {
        /// "probe", "limits", "decode", "file" or "contact"
        package var stage: String
        package var code: String
        package var message: String
        /// The photo was not retried because of a negative entry.
        package var isNegativeEntry = false
        /// An earlier photo had the same failure of the output folder. Humans read it once.
        package var isRepeated = false
        /// The reader of standard output closed it.
        package var isBrokenPipe = false
        /// Standard output cannot be written: what is printed there is not whole.
        package var isOutputLost = false
    }

    package var input: ConversionInput
    package var status: Status
    package var outputs: [Output] = []
    package var header: ImageHeader?
    package var warnings: [Warning] = []
    /// The part of the photo that the avatars show; nil for initials, and if there is no avatar.
    package var crop: CropReport?
    package var failure: Failure?
    /// Milliseconds from opening the photo to the rename of its last avatar.
    package var milliseconds = 0.0
}

extension ConversionResult.Failure {
    init(_ error: any Error) {
        switch error {
        case let error as RenderError:
            self.init(stage: error.stage.rawValue, code: error.error.code, message: error.description)
        case let error as NegativeEntryError:
            self.init(
                stage: error.failure.stage, code: error.failure.code, message: error.description, isNegativeEntry: true)
        case let error as FileError:
            self.init(stage: "file", code: error.code, message: error.description)
            isBrokenPipe = error.errno == .brokenPipe
            isOutputLost = error.path == Converter.standardOutput
        case let error as ForeignFile: self.init(stage: "file", code: ForeignFile.code, message: "\(error)")
        case is ReadOnce: self.init(stage: "file", code: ReadOnce.code, message: "\(error)")
        case let error as AvatarFailure: self.init(stage: "file", code: error.code, message: error.message)
        case let error as PhotoProblem: self.init(stage: "contact", code: error.code, message: error.description)
        default: self.init(stage: "file", code: "file", message: "\(error)")
        }
    }
}

/// Counters of a whole conversion.
package struct ConversionSummary: Equatable, Sendable {
    package var inputs = 0
    package var done = 0
    package var skipped = 0
    package var failed = 0
    /// Files in folders that are not photos.
    package var ignored = 0
    package var written = 0
    /// Written avatars that came from the cache.
    package var cached = 0
    /// Bytes written.
    package var bytes = 0
    package var seconds = 0.0
    package var isInterrupted = false
    /// Photos that were not started.
    package var left = 0
    /// Contacts without a photo.
    package var photoless = 0
    /// Sub-folders that were not entered.
    package var unentered = 0
    /// Groups in address books, which get no avatar.
    package var groups = 0

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
        written += result.outputs.count { $0.isWritten }
        cached += result.outputs.count { $0.source == .cache }
        bytes += result.outputs.reduce(0) { $0 + $1.bytes }
    }
}
