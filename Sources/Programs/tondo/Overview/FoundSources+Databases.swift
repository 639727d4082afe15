import SystemPackage

extension FoundSources {
    /// An address book in a database that Tondo does not read.
    struct Database: Equatable {
        let path: FilePath
        let program: String
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
                    return Database(path: books.appending(file.name), program: place.program)
                }
            }
        }.sorted { $0.path.string < $1.path.string }
    }
}
