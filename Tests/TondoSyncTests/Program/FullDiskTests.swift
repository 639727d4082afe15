import Foundation
import Testing
import TondoTestSupport

@testable import TondoSync

/// Runs into a mirror on a small file system of its own, which the process mounts where only it sees it.
@Suite(.enabled(if: SmallDisk.isPossible)) struct FullDiskTests {
    private let folder: TemporaryFolder
    private let book: FakeAddressBook

    init() throws {
        (folder, book) = (try TemporaryFolder(), try FakeAddressBook())
        let note = String(repeating: "n", count: 10_000)
        for number in 0..<60 { book.put("c\(number).vcf", FakeAddressBook.card("c\(number).vcf", note: note)) }
        try folder.makeFolder("mirrors")
        try folder.write(
            "sync-dir = \"\(folder.pathString)/mirrors\"\n[sync.work]\nurl = \"\(book.url)\"\n", to: "tondo.toml")
    }

    /// `script`: has `sync`, the command, and `$M`, the folder of the mirrors.
    private func run(_ script: String, size: String) throws -> String {
        let program = try BuiltProgram.path("tondo")
        let mirrors = folder.pathString + "/mirrors"
        let text = """
            M='\(mirrors)'
            mount -t tmpfs -o size=\(size) none "$M" || exit 9
            sync() { '\(program)' sync work --config '\(folder.pathString)/tondo.toml' 2>&1; echo "status $?"; }
            \(script)
            """
        return try ShellCommand.run("/usr/bin/unshare", "-rm", "/bin/sh", "-c", text).output
    }

    private static let check = """
        cd "$M/work"
        for card in cards/*.vcf; do tail -c 10 "$card" | grep -q END:VCARD || echo "broken $card"; done
        echo "cards $(ls cards | wc -l) left $(ls -A tmp | wc -l)"
        """

    @Test
    func `a disk that is full ends the run, and the next one with room converges`() throws {
        let text = try run(
            "sync; \(Self.check)\nmount -o remount,size=20m none \"$M\"; sync; \(Self.check)", size: "400k")
        #expect(text.contains("status 1") && text.contains("no space left on device"), "\(text)")
        #expect(text.contains("status 0") && text.contains("cards 60 left 0"), "\(text)")
        #expect(!text.contains("broken"), "\(text)")
    }

    @Test
    func `a mirror that became read-only fails, and stays as it is`() throws {
        let text = try run(
            "sync; mount -o remount,ro none \"$M\"; sync; \(Self.check)", size: "20m")
        #expect(text.contains("status 0") && text.contains("status 1"), "\(text)")
        #expect(text.contains("read-only file system") && text.contains("cards 60 left 0"), "\(text)")
    }
}

/// A file system in memory, of which only one process knows.
private enum SmallDisk {
    static let isPossible =
        (try? ShellCommand.run("/usr/bin/unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt").status) == 0
}
