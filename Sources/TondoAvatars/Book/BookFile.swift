internal import Glibc
package import SystemPackage
package import TondoContacts

/// The bytes of one file of an address book: small ones in memory, large ones mapped, so that what a book takes is
/// bounded by its largest contact. Released with the last owner.
package final class BookFile: @unchecked Sendable {
    // Right because nothing of it ever changes.
    package let bytes: UnsafeRawBufferPointer
    private let mapping: LeasedMapping?

    /// From so many bytes on a file is mapped.
    private static let mappedFrom = 1 << 20

    deinit {
        if let mapping { mapping.end() } else { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
    }

    /// Follows links. Anything but a regular file is refused, and never waited for. `limit`: bytes.
    package init(_ path: FilePath, limit: Int = .max) throws(ContactsError) {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            guard let status = FileStatus(file), status.kind == .regular, status.size <= limit else {
                let reason = FileStatus(file)?.refusal ?? .ioError
                try? file.close()
                throw reason
            }
            if status.size >= Self.mappedFrom, let mapping = LeasedMapping(file, count: status.size) {
                (bytes, self.mapping) = (mapping.bytes, mapping)
            } else {
                (bytes, mapping) = (try file.closeAfter { try Self.readAll(file, expected: status.size) }, nil)
            }
        } catch { throw .unreadable(error as? Errno ?? .ioError) }
    }

    private static func readAll(_ file: FileDescriptor, expected: Int) throws -> UnsafeRawBufferPointer {
        var (capacity, count) = (max(expected, 4095) + 1, 0)
        guard var start = malloc(capacity) else { throw Errno.noMemory }
        do {
            while true {
                let free = UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
                let got = try file.read(into: free)
                if got == 0 { return UnsafeRawBufferPointer(start: start, count: count) }
                count += got
                guard count == capacity else { continue }
                capacity *= 2
                guard let grown = realloc(start, capacity) else { throw Errno.noMemory }
                start = grown
            }
        } catch {
            free(start)
            throw error
        }
    }

    /// For formats that are read as a whole.
    package var array: [UInt8] { Array(bytes) }

    /// What lies before `offset` was read and need not stay in memory; `start`: what this gave the last time.
    package func forget(before offset: Int, since start: Int) -> Int {
        let piece = 1 << 20
        guard mapping != nil, offset - start >= piece else { return start }
        let end = offset / piece * piece
        LeasedMapping.forget(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        return end
    }
}

extension FileStatus {
    /// Why it is not read.
    fileprivate var refusal: Errno {
        switch kind {
        case .folder: .isDirectory
        case .other: .invalidArgument
        case .regular: .fileTooLarge
        }
    }
}
