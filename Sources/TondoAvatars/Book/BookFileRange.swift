internal import SystemPackage
internal import TondoContacts

/// A byte range of a book's file, read again.
struct BookFileRange: ~Copyable {
    let buffer: UnsafeMutableRawBufferPointer

    init(_ file: FileDescriptor, _ range: Range<Int>) throws(ContactsError) {
        buffer = .allocate(byteCount: max(range.count, 1), alignment: 16)
        do {
            let count = try Self.read(file, range, into: buffer)
            // The file was truncated since the book was read.
            if count < range.count { throw ContactsError.photoChanged }
        } catch {
            // `deinit` frees the buffer: there is nothing else to initialise.
            throw error as? ContactsError ?? .unreadable(error as? Errno ?? .ioError)
        }
    }

    deinit { buffer.deallocate() }

    private static func read(
        _ file: FileDescriptor, _ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer
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
