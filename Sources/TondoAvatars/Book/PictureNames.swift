internal import SystemPackage
internal import TondoContacts

/// The files of a folder and those below it, to find pictures by their names.
struct PictureNames: Sendable {
    /// Paths relative to the book's folder, by their last component.
    private var paths: [String: [String]] = [:]

    /// `folder`: as it is opened; `place`: as it is called in the book.
    /// Throws when the system was short of something: names that are missing would be taken for photos that are.
    init(in folder: FilePath, below place: FilePath) throws(FileError) {
        let listing = FolderListing(folder.isEmpty ? "." : folder, recursive: true, followsLinks: false)
        if let shortage = listing.failures.first(where: { $0.errno?.isShortage == true }) { throw shortage }
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
