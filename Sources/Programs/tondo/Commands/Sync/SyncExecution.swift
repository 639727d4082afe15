import ArgumentParser
import CLinux
import Glibc
import SystemPackage
import TondoMirror
import TondoText

/// Replaces this process by `tondo-sync`, the program with a network: libcurl alone would double the time that each other
/// command takes to start.
enum SyncExecution {
    /// Never returns: it is replaced, or throws after reporting why.
    static func execute(_ order: SyncOrder) throws -> Never {
        var order = order
        order.program = own.string
        let file = FileDescriptor(rawValue: clinux_memfd_create("tondo-sync-order"))
        // The new program inherits the number, which must not be that of a standard stream.
        guard file.rawValue > 2 else { throw fail("no file for the order: \(Errno(rawValue: errno).description)") }
        do {
            _ = try file.writeAll(try JSONReport.encode(order))
            try file.seek(offset: 0, from: .start)
        } catch { throw fail("the order cannot be written: \(error)") }
        let program = program
        let words: [String] = [program, "--order", "\(file.rawValue)"]
        execv(program, words.map { strdup($0) } + [nil])
        let reason = Errno(rawValue: errno)
        if reason == .noSuchFileOrDirectory {
            throw fail("\(program) is not installed; the Debian package is tondo-sync, or set TONDO_SYNC")
        }
        throw fail("\(program) cannot be started: \(reason.description)")
    }

    private static func fail(_ text: String) -> ExitCode {
        Terminal.reportError(text)
        return .unavailable
    }

    /// `$TONDO_SYNC`, else the one beside the running program.
    static var program: String {
        if let name = getenv("TONDO_SYNC"), name[0] != 0 { return String(cString: name) }
        return beside("tondo-sync").string
    }

    /// A program in the folder of the running one.
    static func beside(_ name: FilePath.Component) -> FilePath { own.removingLastComponent().appending(name) }

    /// The running program.
    private static var own: FilePath {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(readlink("/proc/self/exe", &path, path.count), 0)
        return FilePath(String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
