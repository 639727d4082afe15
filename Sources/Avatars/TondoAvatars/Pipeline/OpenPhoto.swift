internal import Glibc
internal import SystemPackage
internal import TondoCache
internal import TondoContacts
internal import TondoFiles
internal import TondoImage

/// A photo whose file is open and not read yet. Closes the file with its end.
struct OpenPhoto: ~Copyable {
    private enum Content {
        case file(FileDescriptor, name: FilePath)
        /// Text of an address book.
        case text(FileDescriptor, EncodedPhoto)
        case bytes(PhotoFile)
    }

    private let content: Content
    let crop: CropRectangle?
    /// Nil for a photo that is not in a regular file.
    let identity: PhotoIdentity?

    /// Follows links, and blocks for a named pipe until it has a writer.
    init(_ path: FilePath) throws(FileError) {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            self.init(file: file, name: path, crop: nil)
        } catch { throw FileError(.read, path: path, errno: error as? Errno ?? .ioError) }
    }

    static func standardInput() throws(FileError) -> OpenPhoto {
        let name: FilePath = "standard input"
        let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError(.read, path: name, errno: Errno(rawValue: errno)) }
        return OpenPhoto(.file(FileDescriptor(rawValue: copy), name: name))
    }

    /// A photo that can be read only once, or is in memory.
    private init(_ content: consuming Content, crop: CropRectangle? = nil) {
        self.content = content
        self.crop = crop
        identity = nil
    }

    /// Takes over `file`; messages call it `name`.
    init(file: FileDescriptor, name: FilePath, crop: CropRectangle?) {
        content = .file(file, name: name)
        self.crop = crop
        identity = PhotoIdentity(file)
    }

    /// Takes over `file`.
    init(text: EncodedPhoto, in file: FileDescriptor, crop: CropRectangle?) {
        content = .text(file, text)
        self.crop = crop
        identity = PhotoIdentity(file)?.part(text)
    }

    init(_ file: PhotoFile, crop: CropRectangle? = nil) { self.init(.bytes(file), crop: crop) }

    deinit {
        switch content {
        case .file(let file, _), .text(let file, _): try? file.close()
        case .bytes: break
        }
    }

    /// Throws a `PhotoProblem`, `FileError` or `RenderError`. `limit`: bytes that may be held in memory. Blocks.
    func read(limit: Int) throws -> PhotoFile {
        switch content {
        case .file(let file, let name): return try PhotoFile.read(file, path: name, limit: limit)
        case .bytes(let file): return file
        case .text(let file, let text):
            // The text and the decoded bytes are in memory at the same time.
            let needed = text.decodingMemory
            if needed > limit { throw RenderError(stage: .limits, error: .overMemory(needed: needed, limit: limit)) }
            do {
                let range = try BookFileRange(file, range: text.bytes)
                return PhotoFile(copying: try text.decoded(from: UnsafeRawBufferPointer(range.buffer)))
            } catch { throw PhotoProblem.book(error) }
        }
    }

    /// The photo for a process that reads it itself: without its bytes. Nil: it has to be read here.
    func shared(limit: Int) -> PhotoFile? {
        guard case .file(let file, _) = content, let identity,
            let photo = PhotoFile(sharing: file, of: Int(identity.size), limit: limit)
        else { return nil }
        return isUnchanged ? photo : nil
    }

    /// A pipe, such as standard input: it cannot be read again.
    var isReadOnce: Bool { if case .file = content { identity == nil } else { false } }

    /// Whether the file is as it was when it was opened. After reading: no program changed it meanwhile.
    var isUnchanged: Bool {
        switch content {
        case .file(let file, _), .text(let file, _):
            guard let identity, let now = PhotoIdentity(file) else { return false }
            return (now.size, now.modified, now.changed) == (identity.size, identity.modified, identity.changed)
        case .bytes: return true
        }
    }
}

extension PhotoIdentity {
    /// Nil for anything but a regular file.
    init?(_ file: FileDescriptor) { self.init(try? FileStatus(file)) }

    /// Nil for anything but a regular file.
    init?(_ status: FileStatus?) {
        guard let status, status.kind == .regular else { return nil }
        self.init(
            device: status.identity.device, inode: status.inode, size: Int64(status.size),
            modified: Int64(status.modified), changed: Int64(status.changed))
    }

    /// The identity of an encoded photo in the file.
    func part(_ text: EncodedPhoto) -> PhotoIdentity {
        var identity = self
        identity.offset = Int64(text.bytes.lowerBound)
        identity.count = Int64(text.bytes.count)
        identity.fingerprint = text.fingerprint
        return identity
    }
}

extension Int64 {
    /// By the clock that file systems use.
    static var nanosecondsSince1970: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.nanoseconds)
    }
}

/// A byte range of a book's file, read again.
struct BookFileRange: ~Copyable {
    let buffer: UnsafeMutableRawBufferPointer

    init(_ file: FileDescriptor, range: Range<Int>) throws(ContactsError) {
        buffer = .allocate(byteCount: max(range.count, 1), alignment: 16)
        do {
            let count = try Self.read(file, range: range, into: buffer)
            // The file was truncated since the book was read.
            if count < range.count { throw ContactsError.photoChanged }
        } catch {
            // `deinit` frees the buffer: there is nothing else to initialise.
            throw error as? ContactsError ?? .unreadable(error as? Errno ?? .ioError)
        }
    }

    deinit { buffer.deallocate() }

    private static func read(
        _ file: FileDescriptor, range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        var count = 0
        while count < range.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<range.count])
            let got = try file.read(fromAbsoluteOffset: Int64(range.lowerBound + count), into: rest)
            if got == 0 { break }
            count += got
        }
        return count
    }
}
