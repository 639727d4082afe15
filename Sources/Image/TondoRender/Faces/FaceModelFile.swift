internal import Glibc
package import TondoImage

/// The file with the face model: found and checked once by the program that starts workers, then read by each worker.
package enum FaceModelFile: Sendable, Equatable {
    /// Its path.
    case installed(String)
    case missing
    /// There is none on purpose.
    case off
    /// The file at this path is of no use, for this reason.
    case damaged(String, reason: String)

    /// The environment variable that names the file. Empty: there is none.
    package static let variable = "TONDO_FACE_MODEL"
    /// The name of the file in a folder of programs, and in `share/tondo` beside that.
    package static let name = "face.model"

    /// The bytes of a file are passed to it. Throws if they are no model.
    package typealias Check = (UnsafeRawBufferPointer) throws(FaceModelError) -> Void

    /// `named`: the value of the variable. Without one, the first file in these folders of programs counts, also if it is damaged.
    /// Reads the file, which takes less than a millisecond.
    package init(
        named: String?, folders: [String],
        check: Check = { bytes throws(FaceModelError) in _ = try FaceModel(bytes) }
    ) {
        if let named {
            self = named.isEmpty ? .off : Self(at: named, check: check)
            return
        }
        // One that may not be read is found, too: its permissions are what to repair.
        let path = folders.lazy.flatMap(Self.places).first { access($0, F_OK) == 0 }
        self = path.map { Self(at: $0, check: check) } ?? .missing
    }

    /// Where the file may be for programs in this folder.
    private static func places(_ folder: String) -> [String] {
        let beside = folder + "/" + name
        guard let real = realpath(folder, nil) else { return [beside] }
        defer { free(real) }
        // Without dots: people read it.
        let parent = String(cString: real).split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return [beside, parent + "/share/tondo/" + name]
    }

    private init(at path: String, check: Check) {
        do throws(FaceModelFailure) {
            let checked = try Self.read(path).withUnsafeBytes { bytes in
                Result { () throws(FaceModelError) in try check(bytes) }
            }
            try checked.mapError { FaceModelFailure.contents($0) }.get()
            self = .installed(path)
        } catch { self = .damaged(path, reason: error.description) }
    }

    /// What workers get.
    package var path: String? { if case .installed(let path) = self { path } else { nil } }
}

// MARK: Reports

extension FaceModelFile {
    /// The words of `/v1/jobs`.
    package enum State: String, Sendable {
        case installed, missing, off, damaged

        /// What is missing; nil: nothing.
        package var problem: String? {
            switch self {
            case .installed, .off: nil
            case .missing: "there is no face model"
            case .damaged: "the face model is damaged"
            }
        }
    }

    package var state: State {
        switch self {
        case .installed: .installed
        case .missing: .missing
        case .off: .off
        case .damaged: .damaged
        }
    }

    /// What is wrong, and what to do; nil: nothing, or there is no model on purpose.
    package var problem: String? {
        switch self {
        case .installed, .off: nil
        case .missing: "there is no face model (\(Self.remedy))"
        case .damaged(let path, let reason): "\(path): \(reason) (\(Self.remedy))"
        }
    }

    private static let remedy = "make build makes one with pip; \(variable) names another"
}

/// Why a file gives no face model.
package enum FaceModelFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// An errno.
    case system(Int32)
    case noFile
    case contents(FaceModelError)

    package var description: String {
        switch self {
        case .system(let error): String(cString: strerror(error))
        case .noFile: "not a regular file"
        case .contents(let error): error.description
        }
    }
}

// MARK: Bytes

extension FaceModelFile {
    /// Bytes; the model has a tenth of a megabyte.
    private static let longest = 4 << 20

    /// The model in this file: for a worker, before it is confined.
    package static func load(_ path: String) throws(FaceModelFailure) -> FaceModel {
        let model = try read(path).withUnsafeBytes { bytes in
            Result { () throws(FaceModelError) in try FaceModel(bytes) }
        }
        return try model.mapError { FaceModelFailure.contents($0) }.get()
    }

    /// Never mapped: a program that cuts the file short would end the process.
    private static func read(_ path: String) throws(FaceModelFailure) -> [UInt8] {
        try open(path) { file, count throws(FaceModelFailure) in
            var error: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
                while done < count {
                    let got = pread(file, buffer.baseAddress! + done, count - done, off_t(done))
                    if got < 0, errno == EINTR { continue }
                    if got < 0 { error = errno }
                    if got <= 0 { break }
                    done += got
                }
            }
            if error != 0 { throw .system(error) }
            return bytes
        }
    }

    /// The model in this file, which stays mapped until the process ends: for a worker, before it is confined. Workers share
    /// its pages. Installations replace the file, and leave the mapped one as it is.
    package static func map(_ path: String) throws(FaceModelFailure) -> FaceModel {
        let bytes = try open(path) { file, count throws(FaceModelFailure) in
            guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
                throw .system(errno)
            }
            return UnsafeRawBufferPointer(start: start, count: count)
        }
        do throws(FaceModelError) { return try FaceModel(bytes) } catch { throw .contents(error) }
    }

    /// Passes the descriptor and the length of the file to `body`. It is a regular one, not empty, and not too long.
    private static func open<Result>(
        _ path: String, _ body: (Int32, Int) throws(FaceModelFailure) -> Result
    ) throws(FaceModelFailure) -> Result {
        // Opening a pipe would wait for its writer.
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .system(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .noFile }
        guard (1...longest).contains(Int(status.st_size)) else { throw .contents(.notAModel) }
        return try body(file, Int(status.st_size))
    }
}
