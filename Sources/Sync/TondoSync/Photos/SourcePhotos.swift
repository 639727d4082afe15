internal import SystemPackage
internal import TondoFiles
internal import TondoMirror

/// The remote photos of one source, in its run: those of a mirror's cards, or of local books.
struct SourcePhotos {
    private let store: PhotoStore
    private let fetch: PhotoFetch
    private let hosts: PhotoHosts
    private let now: Int

    /// Nil: photos are not followed, and never were. Throws a `SyncError`.
    init?(source: SyncSource, options: SourceRun.Options, in folder: FilePath, now: Int) throws(SyncError) {
        hosts = PhotoHosts(words: source.hosts + (source.kind == .photos ? [] : options.photoHosts), server: source.url)
        let isKnown = (try? FileDescriptor.open(FetchedPhotos.root(in: folder), .readOnly).close()) != nil
        guard !options.isDry, isKnown || !hosts.isEmpty else { return nil }
        fetch = PhotoFetch(options: options.photos)
        self.now = now
        do { store = try PhotoStore(in: folder, now: now) } catch {
            let path = FetchedPhotos.root(in: folder)
            throw .mirror(
                .file((error as? FileError) ?? FileError(.write, path: path, errno: (error as? Errno) ?? .ioError)))
        }
    }

    /// See `MirrorPhotos.prepare`.
    func prepare(_ mirror: MirrorFolder) -> ([UInt8]) -> PreparedCard { MirrorPhotos(mirror, store: store).prepare }

    /// Fetches what is due for a mirror's cards, and stores it beside them. Returns the number of changed cards.
    func run(_ mirror: MirrorFolder) throws(SyncError) -> Int {
        guard store.canFetch else { return 0 }
        return try SyncError.converting {
            let photos = MirrorPhotos(mirror, store: store)
            _ = try run(photos.urls())
            return try photos.apply()
        }
    }

    /// Fetches the photos of local books, which the service finds by their URLs.
    func run(books: [String]) throws(SyncError) -> PhotoRun.Report {
        guard store.canFetch else { return PhotoRun.Report() }
        return try SyncError.converting {
            try run(books.reduce(into: []) { $0.formUnion(BookPhotoAddresses.urls(in: $1)) })
        }
    }

    private func run(_ urls: Set<String>) throws -> PhotoRun.Report {
        let permitted = urls.filter { WebURL($0).map(hosts.permits) == true }
        let report = try PhotoRun(fetch: fetch, store: store, now: now).run(
            Dictionary(uniqueKeysWithValues: permitted.map { ($0, hosts) }))
        try store.save(now: now)
        return report
    }
}
