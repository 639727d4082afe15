internal import Glibc

/// Read leases, without which a large photo is read instead of mapped.
package enum Lease {
    /// Whether the file system of temporary files grants them at all.
    package static let isGranted: Bool = {
        var template = Array("/tmp/tondo-lease-XXXXXX".utf8CString)
        close(mkstemp(&template))
        defer { unlink(template) }
        return wait(for: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }()

    /// Returns once no process can write to the file. Programs that other tests start hold a copy of every descriptor
    /// for a moment, and with it the one this file was written through. False when that never ends.
    @discardableResult
    package static func wait(for path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let setLease: Int32 = 1024
        for _ in 0..<300_000 {
            if fcntl(descriptor, setLease, F_RDLCK) == 0 { return true }
            guard errno == EAGAIN else { return false }
            usleep(1_000)
        }
        return false
    }
}
