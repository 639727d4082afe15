internal import Glibc
package import SystemPackage
package import TondoContacts
internal import TondoFiles
package import TondoText

/// The bytes of one file of an address book: small files are read, large ones are copied to a temporary file and mapped,
/// so that the memory of a book is bounded by its largest contact. The file itself is never mapped: another program could
/// cut it short. Released with the last owner.
package final class BookFile: @unchecked Sendable {
    // Safe because it is immutable.
    package let bytes: UnsafeRawBufferPointer
    private let copy: PrivateCopy?

    /// Files of at least this size are copied.
    private static let copiedFrom = 8 << 20

    deinit {
        if let copy { copy.end() } else { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
    }

    /// Follows links. Anything but a regular file is refused without blocking. `limit`: bytes; a larger file is
    /// `overLimit`, before anything is read.
    package init(_ path: FilePath, limit: Int = BookLimits.standard.fileBytes) throws(ContactsError) {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            guard let status = try? FileStatus(file), status.kind == .regular, status.size <= limit else {
                let status = try? FileStatus(file)
                try? file.close()
                guard let status, status.kind == .regular else { throw status?.refusal ?? .ioError }
                throw ContactsError.overLimit(.file, found: status.size, limit: limit)
            }
            if status.size >= Self.copiedFrom, let copy = PrivateCopy(of: file, count: status.size) {
                try? file.close()
                bytes = copy.bytes
                self.copy = copy
            } else {
                // Little more than the file: the texts of many may be kept.
                let capacity = max(status.size, 255) + 1
                bytes = try file.closeAfter { try file.readAll(capacity: capacity, expected: status.size) }
                copy = nil
            }
        } catch { throw error as? ContactsError ?? .unreadable(error as? Errno ?? .ioError) }
    }

    /// It is large.
    var isCopy: Bool { copy != nil }

    /// A copy.
    package var array: [UInt8] { Array(bytes) }

    /// The mapped bytes for readers, which keep the file open.
    package var fileBytes: FileBytes { FileBytes(bytes, owner: self) { [unowned self] in release($0) } }

    /// These bytes were read and may be dropped from memory; later accesses read them from the copy again.
    package func release(_ range: Range<Int>) {
        guard copy != nil else { return }
        let page = 4096
        let start = range.lowerBound / page * page
        let end = min((range.upperBound + page - 1) / page * page, bytes.count)
        if start < end { PrivateCopy.forget(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) }
    }
}

extension FileStatus {
    /// Why the file is refused.
    fileprivate var refusal: Errno {
        switch kind {
        case .folder: .isDirectory
        case .link, .other: .invalidArgument
        case .regular: .fileTooLarge
        }
    }
}
