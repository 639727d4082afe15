internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// Reads contacts of a book again at their places. Keeps the last file open; for one thread.
final class ContactSources {
    private let book: AddressBook
    private var open: (file: FilePath, descriptor: FileDescriptor)?

    init(book: AddressBook) { self.book = book }

    deinit { try? open?.descriptor.close() }

    /// Also of a group. Nil if the contact does not come from a file. Throws a `ContactsError`.
    func source(of contact: Contact) throws(ContactsError) -> SourceCard? {
        guard let place = contact.place else { return nil }
        let bytes: [UInt8]
        do { bytes = try read(place) } catch { throw .unreadable(error as? Errno ?? .ioError) }
        return try SourceCard(bytes, of: contact)
    }

    private func read(_ place: ContactLocation) throws -> [UInt8] {
        let file = try descriptor(of: place.file)
        return try [UInt8](unsafeUninitializedCapacity: place.bytes.count) { buffer, count in
            while count < place.bytes.count {
                let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let got = try file.read(fromAbsoluteOffset: Int64(place.bytes.lowerBound + count), into: part)
                if got == 0 { return }
                count += got
            }
        }
    }

    private func descriptor(of file: FilePath) throws -> FileDescriptor {
        if let open, open.file == file { return open.descriptor }
        try? open?.descriptor.close()
        open = nil
        let path = book.folder.pushing(file)
        let descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        open = (file, descriptor)
        return descriptor
    }
}
