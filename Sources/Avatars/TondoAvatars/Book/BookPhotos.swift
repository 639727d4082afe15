internal import Synchronization
package import SystemPackage
internal import TondoCache
package import TondoContacts
internal import TondoFiles
package import TondoImage
internal import TondoMirror

/// Opens the photos that a book's contacts name. Only files inside the book's folder are read, after links are
/// resolved, and fetched photos of URLs. Usable from any thread; blocks it.
package final class BookPhotos: Sendable {
    let folder: FilePath
    /// The folder after resolving links.
    private let root: FilePath
    /// Files whose photo names stand for several sizes, see `ScaledPhoto`.
    private let scaled: Set<FilePath>
    /// See `AvatarPipeline.Options`.
    private let fetched: FilePath?
    private let names = Mutex<[FilePath: PhotoNames]>([:])

    package convenience init(_ book: AddressBook, scan: BookScan, fetched: FilePath? = nil) {
        let scaled = scan.files.compactMap { file in
            if case .contents(let path, _) = file { path } else { nil }
        }
        self.init(book: book, scaled: Set(scaled), fetched: fetched)
    }

    /// `scaled`: the book's files whose photo names stand for several sizes, read now or before.
    convenience init(book: AddressBook, scaled: Set<FilePath>, fetched: FilePath?) {
        self.init(folder: book.folder, scaled: scaled, fetched: fetched)
    }

    /// See the other initialiser.
    init(folder: FilePath, scaled: Set<FilePath>, fetched: FilePath?) {
        self.folder = folder
        root = folder.isEmpty ? FilePath(".").real ?? "." : folder.real ?? folder
        self.scaled = scaled
        self.fetched = fetched
    }

    /// The photos of a folder that holds no address book.
    package convenience init(folder: FilePath) { self.init(folder: folder, scaled: [], fetched: nil) }

    package struct Opened {
        package let file: PhotoFile
        package let crop: CropRectangle?
    }

    /// Opens the photo without reading it. `file`: the contact's, relative to the book's folder. Throws a
    /// `PhotoProblem`, `FileError` or `RenderError`.
    func open(_ photo: ContactPhoto, namedBy file: FilePath?) throws -> OpenPhoto {
        switch photo {
        case .remote(let url): return try openFetched(url)
        case .file(let path, let crop): return try open(path, named: file, crop: CropRectangle(crop))
        case .inline(.bytes(let bytes), let crop):
            return OpenPhoto(PhotoFile(copying: bytes), crop: CropRectangle(crop))
        case .inline(.encoded(let text), let crop):
            guard let file else { throw PhotoProblem.book(.photoChanged) }
            return OpenPhoto(text: text, in: try openBook(file), crop: CropRectangle(crop))
        }
    }

    /// The identity of a photo inside the book by one `stat`, and its crop: no link leads from its text elsewhere. Nil for
    /// other photos, which have to be opened.
    func identity(of photo: ContactPhoto, namedBy file: FilePath?) -> (PhotoIdentity, CropRectangle?)? {
        guard case .inline(.encoded(let text), let crop) = photo, let file,
            let identity = PhotoIdentity(FileStatus(folder.pushing(file)))
        else { return nil }
        return (identity.part(text), CropRectangle(crop))
    }

    /// Throws a `PhotoProblem`, `FileError` or `RenderError`. `limit`: bytes that may be held in memory.
    package func open(_ photo: ContactPhoto, of contact: Contact, limit: Int) throws -> Opened {
        if case .inline(let inline, _) = photo, inline.decodingMemory > limit {
            let error = ImageError.overMemory(needed: inline.decodingMemory, limit: limit)
            throw RenderError(stage: .limits, error: error)
        }
        let opened = try open(photo, namedBy: contact.place?.file)
        return Opened(file: try opened.read(limit: limit), crop: opened.crop)
    }

    /// The bytes of an inline photo. Throws a `PhotoProblem`.
    package func bytes(of photo: InlinePhoto, of contact: Contact) throws -> [UInt8] {
        let file = try open(.inline(photo, crop: nil), namedBy: contact.place?.file).read(limit: .max)
        return withExtendedLifetime(file) { Array(file.bytes) }
    }

    /// The file that `tondo sync` fetched from the URL. The service itself has no network.
    private func openFetched(_ url: String) throws -> OpenPhoto {
        guard let fetched else { throw PhotoProblem.remote(url: url) }
        let path = fetched.appending(FetchedPhotos.name(of: url))
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking, .noFollow])
            let photo = OpenPhoto(file: file, name: path, crop: nil)
            guard photo.identity != nil else { throw PhotoProblem.remote(url: url) }
            return photo
        } catch let error as Errno {
            throw error == .noSuchFileOrDirectory
                ? PhotoProblem.remote(url: url) : FileError(.read, path: path, errno: error)
        }
    }

    /// `file`: relative to the book's folder.
    private func openBook(_ file: FilePath) throws(PhotoProblem) -> FileDescriptor {
        do {
            return try FileDescriptor.open(folder.pushing(file), .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch { throw .book(.unreadable(error as? Errno ?? .ioError)) }
    }

    /// The file of a photo's path, relative to the book's folder if it is inside. Nil for a file outside, and for a
    /// path with a zero byte.
    package func location(ofFile path: String, namedBy file: FilePath?) -> FilePath? {
        // The system would take the part before the zero for the whole name.
        if path.utf8.contains(0) { return nil }
        let path = FilePath(path)
        if path.isAbsolute {
            let path = path.lexicallyNormalized()
            for root in [folder, root] where !root.isEmpty {
                var rest = path
                if rest.removePrefix(root.lexicallyNormalized()) { return rest }
            }
            return nil
        }
        let inside = (file?.removingLastComponent() ?? "").pushing(path).lexicallyNormalized()
        return inside.components.first?.kind == .parentDirectory ? nil : inside
    }

    /// The file that a contact names, relative to the book's folder; nil for other photos, for a file outside, and for a name
    /// that stands for several sizes.
    func location(of contact: Contact) -> FilePath? {
        guard case .file(let path, _) = contact.photo else { return nil }
        if let file = contact.place?.file, scaled.contains(file) { return nil }
        return location(ofFile: path, namedBy: contact.place?.file)
    }

    /// Whether a contact's photo may have changed: its file was touched, or one of the sizes it stands for.
    func mayHaveChanged(of contact: Contact, _ touched: TouchedFiles) -> Bool {
        guard case .file(let path, _) = contact.photo else { return false }
        guard let file = contact.place?.file, scaled.contains(file) else {
            return location(ofFile: path, namedBy: contact.place?.file).map { touched.contains($0) } ?? false
        }
        let names = ScaledPhoto.candidates(for: path).compactMap { FilePath($0).lastComponent?.string }
        return touched.containsAny(named: names)
    }

    /// The file that `open` would read; nil for photos that are not files of the book's folder.
    package func file(of contact: Contact) -> FilePath? {
        guard case .file(let path, _) = contact.photo else { return nil }
        return (try? picked(path, namedBy: contact.place?.file)).map { folder.pushing($0) }
    }

    /// Relative to the book's folder, the largest of several sizes.
    private func picked(_ path: String, namedBy file: FilePath?) throws(FileError) -> FilePath? {
        guard let location = location(ofFile: path, namedBy: file) else { return nil }
        guard let file, scaled.contains(file) else { return location }
        return try largest(location.string, below: file) ?? location
    }

    private func open(_ path: String, named file: FilePath?, crop: CropRectangle?) throws -> OpenPhoto {
        guard !path.utf8.contains(0) else { throw PhotoProblem.malformedPath(path: path) }
        guard let name = try picked(path, namedBy: file) else { throw PhotoProblem.outside(path: path) }
        let full = folder.pushing(name)
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(full, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch let error as Errno { throw FileError(.read, path: name, errno: error) }
        let photo = OpenPhoto(file: descriptor, name: name, crop: crop)
        // Only the open descriptor shows reliably where links lead.
        guard descriptor.path?.starts(with: root) == true else { throw PhotoProblem.outside(path: path) }
        // Regular files alone have an identity.
        if photo.identity == nil {
            let kind = (try? FileStatus(descriptor))?.kind
            throw FileError(.read, path: name, errno: kind == .folder ? .isDirectory : .invalidArgument)
        }
        return photo
    }

    /// Next to the file or in a folder below.
    private func largest(_ name: String, below file: FilePath) throws(FileError) -> FilePath? {
        let below = file.removingLastComponent()
        let known = names.withLock { $0[below] }
        let images: PhotoNames
        if let known { images = known } else { images = try PhotoNames(in: folder.pushing(below), below: below) }
        if known == nil { names.withLock { $0[below] = images } }
        return images.largest(for: name).map { FilePath($0) }
    }
}

extension CropRectangle {
    init?(_ crop: PhotoCrop?) {
        guard let crop else { return nil }
        self.init(x: crop.x, y: crop.y, width: crop.width, height: crop.height)
    }
}

/// The files of a folder and its sub-folders, to find photos by their names.
struct PhotoNames: Sendable {
    /// Paths relative to the book's folder, by their last component.
    private var paths: [String: [String]] = [:]

    /// `folder`: the path to open; `relative`: its path in the book. Throws if the system lacked resources: otherwise
    /// missing names would look like missing photos.
    init(in folder: FilePath, below relative: FilePath) throws(FileError) {
        let listing = FolderListing(folder.isEmpty ? "." : folder, recursive: true, followsLinks: false)
        if let shortage = listing.failures.first(where: { $0.errno.isShortage }) { throw shortage }
        for file in listing.files {
            let path = relative.pushing(file)
            guard let name = path.lastComponent?.string else { continue }
            paths[name, default: []].append(path.string)
        }
    }

    /// Nil if no file has that name.
    func largest(for name: String) -> String? {
        let candidates = ScaledPhoto.candidates(for: name).flatMap { candidate in
            paths[FilePath(candidate).lastComponent?.string ?? candidate] ?? []
        }
        return ScaledPhoto.pick(for: name, among: candidates)
    }
}
