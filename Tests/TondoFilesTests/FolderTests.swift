import Glibc
import SystemPackage
import Testing
import TondoFiles
import TondoTestSupport

@Suite struct FolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["b", "a", ".hidden", "\u{E9}", "B"] { try folder.write([1], to: name) }
        try folder.makeFolder("c")
        try folder.link("l", to: "a")
    }

    @Test func `Names come without hidden ones in the order of their bytes`() throws {
        let (names, failure) = try Folder(folder.path).visibleNamesOnce()
        #expect(names.map(\.string) == ["B", "a", "b", "c", "l", "\u{E9}"])
        #expect(failure == nil)
    }

    @Test func `All names can be listed more than once, and none twice`() throws {
        let open = try Folder(folder.path)
        let names = try open.names().map(\.string)
        #expect(names.count == 7 && Set(names) == ["B", "a", "b", "c", "l", ".hidden", "\u{E9}"])
        #expect(try Set(open.names().map(\.string)) == Set(names))
    }

    @Test func `Many names are listed, and each with its type`() throws {
        for number in 0..<3000 { try folder.write([], to: "many/name-that-is-not-short-\(number)") }
        try folder.makeFolder("many/folder")
        var (files, folders) = (Set<String>(), Set<String>())
        try Folder(folder.path.appending("many")).forEachNameOnce { name, type in
            if Int(type) == DT_DIR {
                folders.insert(String(cString: name))
            } else {
                files.insert(String(cString: name))
            }
        }
        #expect(files.count == 3000 && folders == ["folder"])
    }

    @Test(arguments: [0, 1, 255, 256, 257, 1500])
    func `The states of many names come in their order, without those that are gone`(count: Int) throws {
        try folder.makeFolder("many")
        for number in 0..<count { try folder.write([UInt8](repeating: 1, count: number), to: "many/\(number)") }
        let open = try Folder(folder.path.appending("many"))
        let names = (0..<count).compactMap { FilePath.Component("\($0)") }
        for number in stride(from: 0, to: count, by: 7) { try folder.remove("many/\(number)") }
        #expect(open.statuses(of: names).map { $0?.size } == (0..<count).map { $0 % 7 == 0 ? nil : $0 })
    }

    @Test func `The state of a link is its own`() throws {
        let names = ["a", "c", "l"].compactMap { FilePath.Component($0) }
        #expect(try Folder(folder.path).statuses(of: names).map { $0?.kind } == [.regular, .folder, .link])
    }

    @Test func `A removed folder has no names`() throws {
        let open = try Folder(folder.path.appending("c"))
        try folder.remove("c")
        #expect(open.visibleNamesOnce().names == [] && open.identity != nil)
    }

    @Test func `What is no folder is not opened`() {
        #expect(throws: Errno.notDirectory) { try Folder(folder.path.appending("a")) }
        #expect(throws: Errno.noSuchFileOrDirectory) { try Folder(folder.path.appending("gone")) }
    }

    @Test func `A status follows links when it is asked to`() throws {
        let link = folder.path.appending("l")
        #expect(FileStatus(link)?.kind == .regular && FileStatus(link, followingLinks: false)?.kind == .link)
        #expect(FileStatus(link)?.identity == FileIdentity(folder.path.appending("a")))
        #expect(try Folder(folder.path).status("l")?.kind == .link && FileStatus.isLink(link))
        #expect(FileStatus(folder.path.appending("gone")) == nil)
    }
}
