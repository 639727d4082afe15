package import SystemPackage
package import TondoAvatars
internal import TondoEndpoints
internal import TondoFiles
internal import TondoImage
internal import TondoJobs
package import TondoMirror

/// What follows from the settings and the environment: the defaults that are no constants.
extension ServiceConfiguration {
    /// Photos drawn in parallel.
    package var workers: Int { min(jobs.value > 0 ? jobs.value : Processors.ofService, mostWorkers) }

    /// The folder that applies if none is configured: of the service (systemd), else of the user. Nil if the
    /// environment names none.
    package var standardCacheFolder: FilePath? {
        paths.serviceCache ?? CacheDirectory.standard { environment[$0].map { FilePath($0) } }
    }

    /// The file that applies if none is configured: in systemd's state folder of the service, else in the user's (XDG
    /// Base Directory Specification, version 0.8).
    package var standardTokenFile: FilePath? {
        paths.serviceState?.appending("token") ?? paths.state?.pushing("tondo/token")
    }

    /// Where the service keeps the bound of the ids of its events, beside the token, see `EventNumbers`.
    package var eventNumbersFile: FilePath? { standardTokenFile?.removingLastComponent().appending("event-ids") }

    /// Where the service keeps the favourites, beside the token.
    package var favouritesFile: FilePath? { standardTokenFile?.removingLastComponent().appending("favourites.json") }

    /// The folder of mirrors that applies if none is configured.
    package var standardSyncFolder: FilePath? { MirrorLayout.standardFolder(paths) }

    /// The sources of `tondo sync`, by name.
    package var syncSources: [SyncSource] {
        sync.sorted { $0.key < $1.key }.compactMap { $0.value.source($0.key) }
    }

    /// The mirrors that hold address books, by name. They may not exist yet.
    package var mirrors: [MirrorLayout] {
        guard let folder = syncFolder.value ?? standardSyncFolder else { return [] }
        return syncSources.filter { $0.kind != .photos }.map { MirrorLayout(name: $0.name, in: folder) }
    }

    /// The folder with the photos of URLs, if some source of `tondo sync` fetches those of local books.
    package var fetchedPhotos: FilePath? {
        guard let folder = syncFolder.value ?? standardSyncFolder, syncSources.contains(where: { $0.kind == .photos })
        else { return nil }
        return FetchedPhotos.folder(in: FetchedPhotos.root(in: folder))
    }

    /// The configured books, then the mirrors, each once, whatever the spelling: contacts of a book that is named twice are not two.
    /// Links are not followed here, since the file server behind one may hang.
    package var servedBooks: [FilePath] {
        var seen: Set<FilePath> = []
        return (books.value + mirrors.map(\.cards)).filter { seen.insert($0.absolute.lexicallyNormalized()).inserted }
    }

    /// For removed contacts; next to the token in the state folder of systemd.
    package var trash: Trash? {
        let folder = paths.serviceState?.appending("trash")
        return (folder ?? Trash.standard { environment[$0].map { FilePath($0) } }).map { Trash($0) }
    }

    /// For `tondo config show`: the paths that are not configured, and apply.
    package var standardPaths: [(name: String, entry: SettingEntry)] {
        [(cacheFolder, standardCacheFolder), (tokenFile, standardTokenFile), (syncFolder, standardSyncFolder)]
            .compactMap { setting, path in
                guard setting.entry == nil, let path else { return nil }
                return (setting.declaration.name, SettingEntry(value: .text(path.string), origin: .builtIn))
            }
    }

    /// The configured styles by their names.
    package var avatarStyles: [String: AvatarStyle] {
        Dictionary(uniqueKeysWithValues: styles.map { ($0.key, $0.value.avatarStyle($0.key)) })
    }

    /// The styles that are drawn for all contacts in advance: the configured ones, else the usual size for normal and for
    /// high-density screens, with room for the ring.
    package var preparedStyles: [AvatarStyle] {
        if !styles.isEmpty { return avatarStyles.sorted { $0.key < $1.key }.map(\.value) }
        let size = Style.usualSize
        return [("", 1), ("@2x", 2)].map { AvatarStyle("\(size)\($0)", size: size, scale: $1, isSelectable: true) }
    }

    /// Whether other machines can reach the service according to the configuration; sockets from systemd are not known
    /// here.
    package var isExposed: Bool {
        let isBeyond = listen.value.contains { address in
            guard case .tcp(let host, _) = address else { return false }
            return !HostName.isLoopback(host.contains(":") ? "[\(host)]" : host)
        }
        return isBeyond || !hosts.value.isEmpty || !openAreas.value.isEmpty
    }

    private var paths: StandardPaths { StandardPaths(environment: environment) }
}
