import Foundation
import TondoTestSupport

@testable import tondo

/// A book folder that `tondo serve` serves, on a port of its own choice and on the Unix socket `s.sock`.
final class ServedBook {
    let book: LoadedBook
    let manager: FakeManager

    var folder: TemporaryFolder { book.folder }

    init(_ names: [String] = ["ada", "bo"]) throws {
        book = try LoadedBook()
        for (number, name) in names.enumerated() { try book.add(name, photo: LoadedBook.photo(number)) }
        manager = FakeManager(book.folder.pathString + "/notify")
    }

    /// `variables`: what the service finds in its environment besides a state folder and the manager.
    func start(_ words: [String] = ["book"], variables: String = "") throws -> RunningTondo {
        let usual = #"NOTIFY_SOCKET="$PWD/notify" XDG_STATE_HOME="$PWD/state""#
        return try RunningTondo(
            ["serve"] + words + ["--cache-dir", "cache", "--listen", "127.0.0.1:0", "--socket", "s.sock", "--json"],
            in: folder, shell: #"\#(usual) \#(variables) exec "$@""#)
    }

    /// Started, and ready.
    func serve(_ words: [String] = ["book"], variables: String = "") throws -> RunningTondo {
        let running = try start(words, variables: variables)
        do { try manager.wait(for: "READY=1") } catch {
            running.signal(SIGKILL)
            throw RunningTondo.Stopped.ended(output: "\(error)", error: try running.finish().error)
        }
        return running
    }

    var socket: ServiceAddress { .unix(path: folder.pathString + "/s.sock") }
}

extension RunningTondo {
    /// Where it says it listens.
    func addresses() throws -> [String] {
        try wait(forOutput: "\n")
        let line = outputText.prefix { $0 != "\n" }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["addresses"] as? [String] ?? []
    }
}
