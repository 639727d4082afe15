import Glibc
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct FolderListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `Files come in the order of their names' bytes`() throws {
        for name in ["b.jpg", "B.jpg", "é.jpg", "a10.jpg", "a9.jpg", "c/x.jpg"] { try folder.write([], to: name) }
        let listing = FolderListing(folder.path, recursive: true)
        #expect(listing.files == ["B.jpg", "a10.jpg", "a9.jpg", "b.jpg", "c/x.jpg", "é.jpg"])
    }

    @Test func `Hidden files and folders are left out`() throws {
        for name in [".hidden.jpg", ".git/a.jpg", ".\u{301}x.jpg", "a.jpg"] { try folder.write([], to: name) }
        #expect(FolderListing(folder.path, recursive: true).files == ["a.jpg"])
    }

    @Test func `Folders of systems and copies of editors are left out, unless they are named`() throws {
        let others = [
            "@eaDir/a.jpg", "#recycle/b.jpg", "x/$RECYCLE.BIN/c.jpg", "System Volume Information/d.jpg", "a.jpg~",
        ]
        for name in others + ["a.jpg", "x/b.jpg"] { try folder.write([], to: name) }
        #expect(FolderListing(folder.path, recursive: true).files == ["a.jpg", "x/b.jpg"])
        #expect(FolderListing(folder.path, recursive: false).unentered == 1)
        #expect(FolderListing(folder.path.appending("#recycle"), recursive: true).files == ["b.jpg"])
    }

    @Test func `Sub-folders are entered only on demand, and counted else`() throws {
        for name in ["a.jpg", "x/b.jpg", "y/c.jpg"] { try folder.write([], to: name) }
        let flat = FolderListing(folder.path, recursive: false)
        #expect(flat.files == ["a.jpg"])
        #expect(flat.unentered == 2)
        let deep = FolderListing(folder.path, recursive: true)
        #expect(deep.files == ["a.jpg", "x/b.jpg", "y/c.jpg"])
        #expect(deep.unentered == 0)
    }

    @Test func `Links to files are followed, dangling ones left out`() throws {
        try folder.write([], to: "a.jpg")
        try folder.link("b.jpg", to: "a.jpg")
        try folder.link("c.jpg", to: "nowhere")
        #expect(FolderListing(folder.path, recursive: false).files == ["a.jpg", "b.jpg"])
    }

    @Test func `A loop of links ends`() throws {
        try folder.write([], to: "in/a.jpg")
        try folder.link("in/loop", to: "..")
        try folder.link("in/self", to: ".")
        let listing = FolderListing(folder.path, recursive: true)
        #expect(listing.files == ["in/a.jpg"])
        #expect(listing.failures == [])
    }

    @Test func `Pipes are left out instead of waited for`() throws {
        #expect(mkfifo(folder.path.string + "/pipe.jpg", 0o600) == 0)
        #expect(FolderListing(folder.path, recursive: false).files == [])
    }

    @Test func `The excluded folder is not entered, under whatever name`() throws {
        for name in ["a.jpg", "out/b.jpg"] { try folder.write([], to: name) }
        try folder.link("alias", to: "out")
        let out = try #require(FileIdentity(folder.path.appending("out")))
        #expect(FolderListing(folder.path, recursive: true, excluding: [out]).files == ["a.jpg"])
    }

    @Test(arguments: ["missing", "a.jpg"])
    func `A folder that is not there is a failure`(_ name: String) throws {
        try folder.write([], to: "a.jpg")
        let path = folder.path.appending(name)
        let listing = FolderListing(path, recursive: true)
        let error: Errno = name == "missing" ? .noSuchFileOrDirectory : .notDirectory
        #expect(listing.files == [] && listing.failures == [FileError(.list, path: path, errno: error)])
    }

    @Test func `A link is a failure if it does not show whether there is a file at its end`() throws {
        try folder.write([], to: "b.jpg")
        try folder.link("a.jpg", to: String(repeating: "x", count: 300))
        let listing = FolderListing(folder.path, recursive: true)
        let link = folder.path.appending("a.jpg")
        #expect(listing.files == ["b.jpg"])
        #expect(listing.failures == [FileError(.read, path: link, errno: .fileNameTooLong)])
        #expect(FolderListing(folder.path, recursive: true, followsLinks: false).failures == [])
    }

    @Test func `Links that lead to no file are named, unless links are not followed`() throws {
        try folder.write([], to: "one/a.jpg")
        for name in ["one/b.jpg", "c.jpg"] { try folder.link(name, to: "missing") }
        let listing = FolderListing(folder.path, recursive: true)
        #expect(listing.files == ["one/a.jpg"] && listing.failures == [])
        #expect(listing.brokenLinks == ["c.jpg", "one/b.jpg"])
        #expect(FolderListing(folder.path, recursive: true, followsLinks: false).brokenLinks == [])
    }

    @Test(.enabled(if: geteuid() != 0, "permissions do not stop root"))
    func `A folder that can be read but not searched is one failure`() throws {
        for name in ["closed/a.jpg", "closed/b.jpg", "open/c.jpg"] { try folder.write([], to: name) }
        let closed = folder.path.appending("closed")
        #expect(chmod(closed.string, 0o600) == 0)
        let listing = FolderListing(folder.path, recursive: true)
        #expect(chmod(closed.string, 0o700) == 0)
        #expect(listing.files == ["open/c.jpg"])
        #expect(listing.failures == [FileError(.list, path: closed, errno: .permissionDenied)])
    }

    @Test(.enabled(if: geteuid() != 0, "permissions do not stop root"))
    func `A folder that cannot be read is a failure and the others are listed`() throws {
        for name in ["closed/a.jpg", "open/b.jpg"] { try folder.write([], to: name) }
        let closed = folder.path.appending("closed")
        #expect(chmod(closed.string, 0) == 0)
        let listing = FolderListing(folder.path, recursive: true)
        #expect(chmod(closed.string, 0o700) == 0)
        #expect(listing.files == ["open/b.jpg"])
        #expect(listing.failures == [FileError(.list, path: closed, errno: .permissionDenied)])
    }
}
