import Glibc
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct WatchTreeTests {
    private var tree = WatchTree(scope: .everything, ignored: .init())

    /// A tree with `old.vcf` and the folder `sub` with `below.vcf`; watches 1 and 2.
    init() {
        tree.setWatch(1, of: "")
        _ = tree.list("", entries: [Self.file("old.vcf"), Self.folder("sub")], isAgain: false)
        tree.setWatch(2, of: "sub")
        _ = tree.list("sub", entries: [Self.file("below.vcf")], isAgain: false)
        tree.begin()
    }

    private static func file(_ name: String) -> WatchTree.Entry { .init(name: Array(name.utf8), isFolder: false) }
    private static func folder(_ name: String) -> WatchTree.Entry { .init(name: Array(name.utf8), isFolder: true) }

    private mutating func apply(_ watch: Int32, _ mask: Int, _ name: String = "") -> [WatchTree.Task] {
        tree.apply(WatchRecord(watch: watch, mask: UInt32(truncatingIfNeeded: mask), name: Array(name.utf8)))
    }

    private mutating func changes() -> FolderChanges { tree.takeChanges().changes }

    @Test mutating func `A file that is deleted and made again is changed`() {
        _ = apply(1, Int(IN_DELETE), "old.vcf")
        _ = apply(1, Int(IN_CREATE), "old.vcf")
        #expect(changes() == FolderChanges(changed: ["old.vcf"]))
    }

    @Test mutating func `A file that was created and deleted is not reported`() {
        _ = apply(1, Int(IN_CREATE), "tmp")
        _ = apply(1, Int(IN_DELETE), "tmp")
        #expect(changes().isEmpty)
    }

    @Test mutating func `A file that was reported as removed is added when it comes back`() {
        _ = apply(1, Int(IN_MOVED_FROM), "old.vcf")
        #expect(changes() == FolderChanges(removed: ["old.vcf"]))
        _ = apply(1, Int(IN_MOVED_TO), "old.vcf")
        #expect(changes() == FolderChanges(added: ["old.vcf"]))
    }

    @Test mutating func `A new folder is to be watched and listed, and what it holds is added`() {
        #expect(apply(1, Int(IN_CREATE) | Int(IN_ISDIR), "new") == [.cover("new")])
        tree.setWatch(3, of: "new")
        #expect(
            tree.list("new", entries: [Self.file("a.vcf"), Self.folder("deep")], isAgain: false) == [.cover("new/deep")]
        )
        #expect(changes() == FolderChanges(added: ["new/a.vcf"]))
    }

    @Test mutating func `A file found by the list and reported by the kernel is added once`() {
        _ = apply(1, Int(IN_CREATE) | Int(IN_ISDIR), "new")
        tree.setWatch(3, of: "new")
        _ = tree.list("new", entries: [Self.file("a.vcf")], isAgain: false)
        _ = apply(3, Int(IN_CREATE), "a.vcf")
        _ = apply(3, Int(IN_CLOSE_WRITE), "a.vcf")
        #expect(changes() == FolderChanges(added: ["new/a.vcf"]))
    }

    @Test mutating func `A folder that goes takes its watches and its files along, and is looked for once more`() {
        #expect(apply(1, Int(IN_MOVED_FROM) | Int(IN_ISDIR), "sub") == [.cover("sub"), .unwatch(2)])
        #expect(apply(2, Int(IN_CREATE), "late.vcf") == [])
        #expect(changes() == FolderChanges(removed: ["sub/below.vcf"]))
        #expect(tree.watches == 1)
    }

    @Test mutating func `A folder seen under its new name first keeps its watch there`() {
        _ = tree.list("", entries: [Self.file("old.vcf"), Self.folder("sub"), Self.folder("moved")], isAgain: false)
        tree.setWatch(2, of: "moved")
        _ = tree.list("moved", entries: [Self.file("below.vcf")], isAgain: false)
        #expect(apply(1, Int(IN_MOVED_FROM) | Int(IN_ISDIR), "sub") == [.cover("sub")])
        _ = apply(2, Int(IN_CREATE), "new.vcf")
        let expected = FolderChanges(added: ["moved/below.vcf", "moved/new.vcf"], removed: ["sub/below.vcf"])
        #expect(changes() == expected)
    }

    @Test mutating func `An overflow has everything looked at again`() {
        #expect(apply(-1, Int(IN_Q_OVERFLOW)) == [.coverAgain])
        #expect(tree.list("", entries: [Self.file("new.vcf"), Self.folder("sub")], isAgain: true) == [.cover("sub")])
        let report = tree.takeChanges()
        #expect(report.reasons == [.overflow])
        #expect(report.changes == FolderChanges(added: ["new.vcf"], removed: ["old.vcf"]))
    }

    @Test(arguments: [
        (Int(IN_DELETE_SELF), FolderWatcher.Ending.removed), (Int(IN_MOVE_SELF), .moved), (Int(IN_UNMOUNT), .unmounted),
    ])
    mutating func `The end of the watched folder ends everything`(_ mask: Int, _ ending: FolderWatcher.Ending) {
        #expect(apply(1, mask) == [.end(ending)])
        #expect(changes() == FolderChanges(removed: ["old.vcf", "sub/below.vcf"]))
    }

    @Test mutating func `A folder below that is unmounted is looked at again`() {
        #expect(apply(2, Int(IN_UNMOUNT)) == [.coverAgain])
        #expect(apply(2, Int(IN_IGNORED)) == [])
        #expect(tree.takeChanges().reasons == [.unmounted])
    }

    @Test mutating func `A folder that was forbidden is tried again when its mode changes`() {
        _ = tree.list("", entries: [Self.file("old.vcf"), Self.folder("sub"), Self.folder("secret")], isAgain: false)
        #expect(apply(1, Int(IN_ATTRIB) | Int(IN_ISDIR), "secret") == [.cover("secret")])
    }

    @Test mutating func `A folder whose mode changes is listed again, and its files are changed`() {
        #expect(apply(1, Int(IN_ATTRIB) | Int(IN_ISDIR), "sub") == [.cover("sub")])
        #expect(changes() == FolderChanges(changed: ["sub/below.vcf"]))
        #expect(apply(1, Int(IN_ATTRIB) | Int(IN_ISDIR)) == [.cover("")])
        #expect(changes() == FolderChanges(changed: ["old.vcf", "sub/below.vcf"]))
    }

    @Test mutating func `A file that goes after a rename put it there is looked for once more`() {
        _ = apply(1, Int(IN_MOVED_TO), "old.vcf")
        #expect(
            apply(1, Int(IN_MOVED_FROM), "old.vcf") == [.check(WatchedFile(folder: "", name: Array("old.vcf".utf8)))])
        tree.find(WatchedFile(folder: "", name: Array("old.vcf".utf8)))
        #expect(changes() == FolderChanges(changed: ["old.vcf"]))
    }

    @Test mutating func `A link that is found is to be looked at, and is changed with what it leads to`() {
        let place = WatchedFile(folder: "", name: Array("link".utf8))
        let entries = [
            Self.file("old.vcf"), Self.folder("sub"), .init(name: place.name, isFolder: false, isLink: true),
        ]
        #expect(tree.list("", entries: entries, isAgain: false) == [.check(place)])
        #expect(tree.list("", entries: entries, isAgain: false) == [])
        _ = changes()
        let isKnown = tree.touchLink(place)
        #expect(isKnown && changes() == FolderChanges(changed: ["link"]))
        let isUnknownKnown = tree.touchLink(WatchedFile(folder: "", name: [1]))
        #expect(!isUnknownKnown && changes().isEmpty)
    }

    @Test mutating func `Only known files that a rename replaced are whole`() {
        _ = apply(1, Int(IN_MOVED_TO), "old.vcf")
        _ = apply(2, Int(IN_MOVED_TO), "below.vcf")
        #expect(tree.isWhole)
        _ = apply(1, Int(IN_MOVED_TO), "new.vcf")
        #expect(!tree.isWhole)
        _ = tree.takeChanges()
        #expect(tree.isWhole)
    }

    @Test mutating func `A file is whole once its temporary one has its name`() {
        _ = apply(1, Int(IN_CREATE), "old.vcfk3x9")
        _ = apply(1, Int(IN_CLOSE_WRITE), "old.vcfk3x9")
        #expect(!tree.isWhole)
        _ = apply(1, Int(IN_MOVED_FROM), "old.vcfk3x9")
        _ = apply(1, Int(IN_MOVED_TO), "old.vcf")
        #expect(tree.isWhole)
    }

    @Test(arguments: [IN_CREATE, IN_CLOSE_WRITE, IN_MODIFY, IN_ATTRIB, IN_DELETE, IN_MOVED_FROM].map { Int($0) })
    mutating func `A file that is touched otherwise may not be whole`(_ mask: Int) {
        _ = apply(1, Int(IN_MOVED_TO), "old.vcf")
        _ = apply(1, mask, "old.vcf")
        #expect(!tree.isWhole)
    }

    @Test mutating func `What has to be read again is not whole`() {
        tree.miss(.watchLimit)
        tree.begin()
        #expect(!tree.isWhole)
    }

    @Test mutating func `Records of unknown watches are nothing`() {
        #expect(apply(77, Int(IN_CREATE), "a") == [] && changes().isEmpty)
    }
}

@Suite struct DebouncerTests {
    private var debouncer = Debouncer(delay: 10, longest: 25, quietPeriod: 100)

    @Test mutating func `Changes are reported after a quiet period, and at the latest when they are old`() {
        #expect(debouncer.due == nil)
        debouncer.note(now: 100, isWhole: false)
        #expect(debouncer.due == 110)
        debouncer.note(now: 108, isWhole: false)
        #expect(debouncer.due == 118)
        debouncer.note(now: 117, isWhole: false)
        #expect(debouncer.due == 125)
        debouncer.clear()
        #expect(debouncer.due == nil)
    }

    @Test mutating func `A complete file is reported at once after a quiet period, and debounced otherwise`() {
        debouncer.note(now: 100, isWhole: true)
        #expect(debouncer.due == 100)
        debouncer.clear()
        debouncer.note(now: 199, isWhole: true)
        #expect(debouncer.due == 209)
        debouncer.clear()
        debouncer.note(now: 299, isWhole: true)
        #expect(debouncer.due == 299)
    }

    @Test mutating func `What is not whole settles until it is`() {
        debouncer.note(now: 100, isWhole: true)
        debouncer.note(now: 101, isWhole: false)
        #expect(debouncer.due == 111)
        debouncer.note(now: 102, isWhole: true)
        #expect(debouncer.due == 102)
    }
}
