/// The open folder of a cache with its index.
final class CacheFiles: Sendable {
    let folder: CacheFolder
    let objects: Objects
    let index: Index

    /// `busyTimeout`: seconds to wait for another process that has locked the index.
    init(_ folder: CacheFolder, isReadOnly: Bool, busyTimeout: Double, teller: Teller) {
        (self.folder, objects) = (folder, Objects(folder: folder))
        index = Index(folder, isReadOnly: isReadOnly, busyTimeout: busyTimeout, teller: teller)
    }
}
