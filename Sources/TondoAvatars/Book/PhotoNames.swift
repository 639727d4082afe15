internal import SystemPackage
internal import TondoContacts
internal import TondoFiles

/// The files of a folder and its sub-folders, to find photos by their names.
struct PhotoNames: Sendable {
    /// Paths relative to the book's folder, by their last component.
    private var paths: [String: [String]] = [:]

    /// `folder`: the path to open; `place`: its path in the book. Throws if the system lacked resources: otherwise
    /// missing names would look like missing photos.
    init(in folder: FilePath, below place: FilePath) throws(FileError) {
        let listing = FolderListing(folder.isEmpty ? "." : folder, recursive: true, followsLinks: false)
        if let shortage = listing.failures.first(where: { $0.errno.isShortage }) { throw shortage }
        for file in listing.files {
            let path = place.pushing(file)
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
