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
            guard let bytes = try? file.contents(limit: largest), case .book(let format) = BookFormat.recognise(bytes),
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

}
