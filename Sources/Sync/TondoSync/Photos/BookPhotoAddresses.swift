internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// The URLs of photos in local address books, as the service reads them: vCards, and the other formats.
package enum BookPhotoAddresses {
    /// The largest file that is read whole.
    private static let largest = 256 << 20

    /// `book`: a folder or a file. What cannot be read has none: the service reports it.
    package static func urls(in book: String) -> Set<String> {
        var urls: Set<String> = []
        for file in files(FilePath(book)) {
            guard let bytes = read(file), case .book(let format) = BookFormat.recognise(bytes),
                let contents = try? format.read(bytes, name: "book")
            else { continue }
            for contact in contents.contacts {
                if case .remote(let url)? = contact.photo, WebURL(url) != nil { urls.insert(url) }
            }
        }
        return urls
    }

    private static func files(_ book: FilePath) -> [FilePath] {
        guard FileStatus(book)?.kind == .folder else { return [book] }
        if let cards = try? VDir(book).items, !cards.isEmpty { return cards.map { book.pushing($0) } }
        return FolderListing(book, recursive: false).files.map { book.pushing($0) }
    }

    private static func read(_ path: FilePath) -> [UInt8]? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        return try? file.closeAfter {
            let status = try FileStatus(file)
            guard status.kind == .regular, status.size <= largest else { throw Errno.fileTooLarge }
            var (bytes, count) = ([UInt8](repeating: 0, count: status.size), 0)
            while count < bytes.count {
                let read = try bytes.withUnsafeMutableBytes { try file.read(into: .init(rebasing: $0[count...])) }
                if read == 0 { break }
                count += read
            }
            return Array(bytes.prefix(count))
        }
    }
}
