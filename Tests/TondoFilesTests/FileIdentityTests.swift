import Foundation
import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct FileIdentityTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write([1], to: "a.jpg")
    }

    @Test func `Every name of one file is the same file`() throws {
        try folder.link("soft.jpg", to: "a.jpg")
        try FileManager.default.linkItem(
            atPath: folder.path.string + "/a.jpg", toPath: folder.path.string + "/hard.jpg")
        let identity = try #require(FileIdentity(folder.path.appending("a.jpg")))
        for name in ["soft.jpg", "hard.jpg", "./a.jpg", "../\(folder.path.lastComponent?.string ?? "")/a.jpg"] {
            #expect(FileIdentity(folder.path.appending(name)) == identity)
        }
    }

    @Test func `Equal bytes in two files are two files`() throws {
        try folder.write([1], to: "b.jpg")
        #expect(FileIdentity(folder.path.appending("a.jpg")) != FileIdentity(folder.path.appending("b.jpg")))
    }

    @Test func `Nothing has no identity`() {
        #expect(FileIdentity(folder.path.appending("gone")) == nil)
    }
}
