internal import SystemPackage
internal import TondoContacts

/// The files of a folder and those below it, to find pictures by their names.
struct PictureNames: Sendable {
    /// Paths relative to the book's folder, by their last component.
    private var paths: [String: [String]] = [:]

    /// `folder`: as it is opened; `place`: as it is called in the book.
    init(in folder: FilePath, below place: FilePath) {
        let listing = FolderListing(folder.isEmpty ? "." : folder, recursive: true, followsLinks: false)
        for file in listing.files {
            let path = place.pushing(file)
            guard let name = path.lastComponent?.string else { continue }
            paths[name, default: []].append(path.string)
        }
    }

    /// Nil when there is none of that name.
    func largest(for name: String) -> String? {
        let candidates = ScaledPicture.candidates(for: name).flatMap { candidate in
            paths[FilePath(candidate).lastComponent?.string ?? candidate] ?? []
        }
        return ScaledPicture.pick(for: name, among: candidates)
    }
}
