import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ClosedFoldersTests {
    private let folder: TemporaryFolder
    private let closed = ClosedFolders()

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("out/a")
        try folder.makeFolder("out/b")
    }

    private func error(_ errno: Errno, _ name: String) -> FileError {
        FileError(.write, path: folder.path.appending("out").pushing(FilePath(name)), errno: errno)
    }

    private func holds(_ name: String) -> Bool {
        closed.holdsAny(of: [folder.path.appending("out").pushing(FilePath(name))])
    }

    @Test(arguments: [Errno.noSpace, .readOnlyFileSystem, .diskQuotaExceeded])
    func `A full or read-only file system closes all its folders, those to be made, too`(_ errno: Errno) {
        #expect(!holds("a/1.png"))
        #expect(closed.note(error(errno, "a/1.png")) == true)
        #expect(holds("a/2.png") && holds("b/1.png") && holds("new/deep/1.png"))
        #expect(!closed.holdsAny(of: ["/proc/1.png", "-"]))
    }

    @Test func `A forbidden folder closes itself alone`() {
        #expect(closed.note(error(.permissionDenied, "a/new/1.png")) == true)
        #expect(holds("a/2.png") && holds("a/other/1.png") && !holds("b/1.png"))
    }

    @Test func `Only the first of the same errors is new`() {
        #expect(closed.note(error(.noSpace, "a/1.png")) == true)
        #expect(closed.note(error(.noSpace, "b/1.png")) == false)
    }

    @Test func `A file's own error closes nothing`() {
        #expect(closed.note(error(.fileTooLarge, "a/1.png")) == nil)
        #expect(closed.note(FileError(.read, path: "photo.jpg", errno: Errno.permissionDenied)) == nil)
        #expect(!holds("a/2.png"))
    }
}
