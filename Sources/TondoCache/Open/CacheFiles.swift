/// The open folder of a cache with its index.
final class CacheFiles: Sendable {
    let folder: CacheFolder
    let objects: ObjectStore
    let index: Index

    /// `busyTimeout`: seconds to wait for another process that has locked the index.
    init(_ folder: CacheFolder, isReadOnly: Bool, busyTimeout: Double, diagnostics: DiagnosticSink) {
        (self.folder, objects) = (folder, ObjectStore(folder: folder))
        index = Index(folder, isReadOnly: isReadOnly, busyTimeout: busyTimeout, diagnostics: diagnostics)
    }
}
