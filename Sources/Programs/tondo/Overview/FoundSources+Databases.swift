import SystemPackage
import TondoFiles
import TondoMirror

extension FoundSources {
    /// An address book in a database, which a source of `tondo sync` mirrors.
    struct Database: Equatable {
        let path: FilePath
        let program: String
        /// That of its source; nil: there is none for it.
        let url: String?
    }

    /// Folders of a home folder with a folder for each profile or book: of packages of the distribution, snaps and flatpaks.
    private static let places: [(folder: String, program: String, names: [String])] = [
        (".thunderbird", "Thunderbird", ["abook", "history"]),
        (".var/app/org.mozilla.Thunderbird/.thunderbird", "Thunderbird", ["abook", "history"]),
        ("snap/thunderbird/common/.thunderbird", "Thunderbird", ["abook", "history"]),
        (".local/share/evolution/addressbook", "Evolution", ["contacts"]),
        (".var/app/org.gnome.Evolution/data/evolution/addressbook", "Evolution", ["contacts"]),
    ]
    private static let most = (profiles: 64, names: 1_024)

    /// The databases below a home folder, which are not opened. Thunderbird numbers further books: `abook-1.sqlite`.
    static func databases(in home: FilePath) -> [Database] {
        places.flatMap { place in
            let folder = home.pushing(FilePath(place.folder))
            return FolderNames.first(in: folder, most: most.profiles).filter(\.isFolder).flatMap { profile in
                let books = folder.appending(profile.name)
                return FolderNames.first(in: books, most: most.names).compactMap { file -> Database? in
                    let stem = file.name.stem
                    guard ["sqlite", "db"].contains(file.name.extension),
                        place.names.contains(where: { stem == $0 || stem.hasPrefix($0 + "-") })
                    else { return nil }
                    let path = books.appending(file.name)
                    return Database(path: path, program: place.program, url: url(of: path, in: place.folder))
                }
            }
        }.sorted { $0.path.withoutExtension.string < $1.path.withoutExtension.string }
    }

    /// Nil: the file's name is no text, or the server of the book is that of a flatpak, on no bus that others see.
    private static func url(of path: FilePath, in place: String) -> String? {
        guard FilePath(path.string) == path else { return nil }
        if !place.hasSuffix("evolution/addressbook") { return "\(SyncSource.Kind.thunderbird):\(path)" }
        guard !place.hasPrefix(".var/"), let uid = path.removingLastComponent().lastComponent?.string else {
            return nil
        }
        // The one book whose folder has another name.
        let url = "\(SyncSource.Kind.evolution):\(uid == "system" ? "system-address-book" : uid)"
        return SyncSource.problem(ofBook: url) == nil ? url : nil
    }
}
