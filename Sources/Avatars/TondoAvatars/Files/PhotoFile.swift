internal import Glibc
package import SystemPackage
internal import TondoFiles
internal import TondoImage
internal import TondoRender

/// The bytes of a photo, released with the last owner: in memory, or those of a large one in a private copy. The file itself
/// is never mapped: another program could cut it short while it is decoded.
package final class PhotoFile: @unchecked Sendable {
    // Safe because it is immutable.
    package let bytes: UnsafeRawBufferPointer
    private let copy: PrivateCopy?
    /// The photo's bytes in a file that another process can read. Nil: the photo is small, or its file may change
    /// unnoticed.
    let handle: PhotoHandle?
    /// The bytes are those of a private copy: pages may be released, and are read from the copy again.
    var isMapped: Bool { copy != nil }

    /// Files of at least this size are copied: the memory of a photo of 100 megapixels stays below 40 MB.
    private static let copiedFrom = 8 << 20

    /// Files of at least this size are passed on as descriptors: sending smaller ones costs less than a descriptor. A worker
    /// would have to wait for each of the larger ones, which are sent only once it is free.
    private static let passedFrom = RenderWorkers.mostSentAhead

    deinit {
        if let copy { copy.end() } else { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
    }

    private init(_ bytes: UnsafeRawBufferPointer, handle: PhotoHandle? = nil) {
        self.bytes = bytes
        copy = nil
        self.handle = handle
    }

    private init(copy: PrivateCopy) {
        bytes = copy.bytes
        self.copy = copy
        handle = PhotoHandle(file: copy.file, count: copy.bytes.count)
    }

    /// A regular file of `size` bytes that only another process reads: without bytes, but with a handle. Nil for small files,
    /// for those that need a private copy or are larger than `limit`, and if there is no handle.
    convenience init?(sharing descriptor: FileDescriptor, of size: Int, limit: Int) {
        guard size <= limit, (Self.passedFrom..<Self.copiedFrom).contains(size),
            let handle = PhotoHandle(duplicating: descriptor, count: size)
        else { return nil }
        self.init(UnsafeRawBufferPointer(start: nil, count: 0), handle: handle)
    }

    /// Bytes of the photo, here or in its file.
    var size: Int { handle?.count ?? bytes.count }

    /// A photo that was embedded in another file.
    package convenience init(copying photo: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(photo.count, 1), alignment: 16)
        copy.copyBytes(from: photo)
        self.init(UnsafeRawBufferPointer(rebasing: copy[..<photo.count]))
    }

    /// Passes all bytes to `body` in parts, and releases the pages of a copy after each.
    func forEachPart(_ body: (UnsafeRawBufferPointer) -> Void) {
        let size = isMapped ? 1 << 20 : bytes.count
        for start in stride(from: 0, to: bytes.count, by: max(size, 1)) {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + size, bytes.count)])
            body(part)
            if isMapped { PrivateCopy.forget(part) }
        }
    }

    /// Opens and reads a file. `limit`: bytes that may be held in memory. Another file than a photo that can be drawn is refused
    /// after its first bytes.
    package static func open(_ path: FilePath, limit: Int) throws -> PhotoFile {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        } catch let error as Errno { throw FileError(.read, path: path, errno: error) }
        defer { try? descriptor.close() }
        return try read(descriptor, path: path, limit: limit)
    }

    /// Reads from the descriptor's position to the end; messages call it `path`.
    static func read(_ descriptor: FileDescriptor, path: FilePath, limit: Int) throws -> PhotoFile {
        let status: FileStatus
        do throws(Errno) {
            status = try FileStatus(descriptor)
            if status.kind == .folder { throw .isDirectory }
        } catch {
            throw FileError(.read, path: path, errno: error)
        }
        do {
            let expected = status.kind == .regular ? status.size : 0
            if expected >= Self.copiedFrom, let copy = try copy(of: descriptor, size: expected, limit: limit) {
                return PhotoFile(copy: copy)
            }
            let handle = expected >= Self.passedFrom ? PhotoHandle(duplicating: descriptor, count: expected) : nil
            let bytes = try readAll(descriptor, expected: expected, limit: limit)
            return PhotoFile(bytes, handle: handle?.count == bytes.count ? handle : nil)
        } catch Errno.fileTooLarge {
            throw RenderError(stage: .limits, error: .overMemory(needed: max(status.size, limit + 1), limit: limit))
        } catch Errno.noMemory {
            throw RenderError(stage: .limits, error: .outOfMemory)
        } catch let error as Errno { throw FileError(.read, path: path, errno: error) }
    }

    /// Whether the first bytes are those of a photo that can be drawn; true if they cannot be read without side effects.
    package static func maybePhoto(_ path: FilePath) -> Bool {
        guard FileStatus(path)?.kind == .regular,
            let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        else { return true }
        defer { try? descriptor.close() }
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { head in
            guard let count = try? descriptor.read(into: head) else { return true }
            return ImageKind(UnsafeRawBufferPointer(rebasing: head[..<count])).refusal == nil
        }
    }

    /// Nil if there is no space for a copy, or the file was cut short meanwhile.
    private static func copy(of descriptor: FileDescriptor, size: Int, limit: Int) throws -> PrivateCopy? {
        try withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { head in
            let count = try descriptor.read(fromAbsoluteOffset: 0, into: head)
            try refuseUnknownFormats(.init(rebasing: head[..<count]))
        }
        guard size <= limit else { throw Errno.fileTooLarge }
        return PrivateCopy(of: descriptor, count: size)
    }

    private static func readAll(
        _ descriptor: FileDescriptor, expected: Int, limit: Int
    ) throws -> UnsafeRawBufferPointer {
        // The first part of a large file is enough to see that it is not a photo.
        let whole = min(expected, limit) + 1
        let capacity = expected < 4 << 20 ? max(whole, 64 << 10) : 64 << 10
        return try descriptor.readAll(capacity: capacity, growth: whole, expected: expected) { bytes in
            try refuseUnknownFormats(bytes)
            guard bytes.count <= limit else { throw Errno.fileTooLarge }
        }
    }

    /// Reading a whole video would be wasted work.
    private static func refuseUnknownFormats(_ head: UnsafeRawBufferPointer) throws {
        guard head.count >= 1024, let refusal = ImageKind(head).refusal else { return }
        throw RenderError(stage: .probe, error: refusal)
    }
}

extension FileDescriptor {
    /// Reads from the position to the end into memory for `free`: of `capacity` bytes, then of `growth` at least. `check`
    /// gets all bytes so far after each part. `expected`: the size of a regular file, whose end need not be read.
    func readAll(
        capacity: Int, growth: Int = 0, expected: Int? = nil, check: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws -> UnsafeRawBufferPointer {
        var (capacity, count) = (capacity, 0)
        guard var start = malloc(capacity) else { throw Errno.noMemory }
        do {
            while true {
                let free = UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
                let got = try read(into: free)
                if got == 0 { return UnsafeRawBufferPointer(start: start, count: count) }
                count += got
                try check(UnsafeRawBufferPointer(start: start, count: count))
                if count == expected { return UnsafeRawBufferPointer(start: start, count: count) }
                guard count == capacity else { continue }
                capacity = max(capacity * 2, growth)
                guard let grown = realloc(start, capacity) else { throw Errno.noMemory }
                start = grown
            }
        } catch {
            free(start)
            throw error
        }
    }
}
