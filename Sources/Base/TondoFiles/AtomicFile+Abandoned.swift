internal import Glibc
package import SystemPackage

/// Temporary files that killed processes left behind.
extension AtomicFile {
    /// Removes them from a folder, in which other processes may write now. A file stays while a process holds its lock, and while
    /// one with the number in its name lives: file systems without locks, and earlier versions, have that alone.
    /// `canLose`: whether nothing is lost with a file whose name has these marks; without marks, it holds what its owner wrote.
    /// Returns the number of all names in the folder.
    @discardableResult package static func clear(
        _ folder: FilePath, canLose: (_ marks: [String], FilePath) -> Bool = { marks, _ in marks.isEmpty }
    ) -> Int {
        var names: [TemporaryName] = []
        var count = 0
        // A large book has a hundred thousand other names, of which no text is made.
        try? Folder(folder).forEachNameOnce { name, _ in
            count += 1
            if strncmp(name, TemporaryName.start, TemporaryName.start.utf8.count) == 0 {
                TemporaryName(String(cString: name)).map { names.append($0) }
            }
        }
        for name in names where !isAlive(name.owner) {
            let path = folder.appending(name.text)
            if name.owner == getpid(), isWriting(path) { continue }
            if TemporaryClaim.isFree(path), canLose(name.marks, path) { remove(path) }
        }
        return count
    }

    /// A new temporary name that says something about the file, in words of letters and digits.
    package static func temporaryName(marks: [String]) -> String {
        "\(temporaryName().dropLast(4))-\(marks.joined(separator: "-")).tmp"
    }

    private static func isAlive(_ process: pid_t) -> Bool {
        // An ended process may have had this one's number: the caller checks its own files. EPERM: it lives, and
        // belongs to another user.
        process != getpid() && (kill(process, 0) == 0 || errno != ESRCH)
    }
}

/// A name of `AtomicFile.temporaryName`, taken apart.
private struct TemporaryName {
    static let start = ".tondo-"

    let text: String
    /// The process that made it.
    let owner: pid_t
    let marks: [String]

    init?(_ text: String) {
        guard text.hasPrefix(Self.start), text.hasSuffix(".tmp") else { return nil }
        let words = text.dropFirst(Self.start.count).dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard words.count >= 2, UInt(words[1]) != nil, let owner = pid_t(words[0]), owner > 0 else { return nil }
        self.text = text
        self.owner = owner
        marks = words.dropFirst(2).map { String($0) }
    }
}

/// The lock of a temporary file, which shows other processes that its owner lives, wherever that runs. Ends with the process.
struct TemporaryClaim {
    private let file: FileDescriptor?

    /// Without a lock where the file system has none. The descriptor is for reading, so that it is no writer of the file once
    /// that has its name.
    init(_ path: FilePath) {
        file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        if let file { _ = LockKind.exclusive.tryLock(file.rawValue) }
    }

    func end() { try? file?.close() }

    /// Whether it is a file that no process has claimed.
    static func isFree(_ path: FilePath) -> Bool {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return false }
        defer { try? file.close() }
        guard let status = try? FileStatus(file), status.kind == .regular else { return false }
        // Since it was opened, the owner may have renamed it, and another file may have got this name.
        if LockKind.exclusive.tryLock(file.rawValue) { return FileIdentity(path) == status.identity }
        return errno != EWOULDBLOCK
    }
}
