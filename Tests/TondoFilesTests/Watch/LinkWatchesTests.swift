import CLinux
import Dispatch
import Foundation
import Glibc
import Testing
import TondoTestSupport

@testable import TondoFiles

/// Changes that links and exchanges bring about, made as their writers make them.
@Suite(.timeLimit(.minutes(15))) struct LinkWatchesTests {
    private let folder: WatchedFolder

    init() throws { folder = try WatchedFolder() }

    private func path(_ name: String) -> String { folder.base.appendingPathComponent(name).path }

    /// `target`: as the link holds it.
    private func link(_ name: String, _ target: String) { #expect(symlink(target, path(name)) == 0) }

    /// Replaces a link by a rename.
    private func relink(_ name: String, _ target: String) {
        link(name + ".new", target)
        folder.move(name + ".new", to: name)
    }

    private func exchange(_ one: String, _ other: String) {
        #expect(clinux_rename_exchange(AT_FDCWD, path(one), AT_FDCWD, path(other)) == 0)
    }

    @Test func `What a link leads to inside the folder changes the link`() throws {
        try folder.makeFolder("book/.store")
        try folder.write("book/.store/ada.vcf")
        link("book/ada.vcf", ".store/ada.vcf")
        let watcher = try folder.watch(ignored: .init(hidden: true))
        defer { watcher.close() }
        try folder.write("book/.store/ada.vcf", "longer")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["ada.vcf"]))
        folder.forget()
        try folder.write("book/.store/new", "longest")
        folder.move("book/.store/new", to: "book/.store/ada.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["ada.vcf"]))
        folder.forget()
        try folder.write("book/.store/ada.vcf", "after that")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["ada.vcf"]))
    }

    @Test func `An exchanged hidden link, as Kubernetes has it, changes all links that lead through it`() throws {
        for version in ["..1", "..2"] {
            try folder.makeFolder("book/\(version)")
            for name in ["ada", "bo"] { try folder.write("book/\(version)/\(name).vcf", version) }
        }
        link("book/..data", "..1")
        for name in ["ada", "bo"] { link("book/\(name).vcf", "..data/\(name).vcf") }
        let watcher = try folder.watch(ignored: .init(hidden: true))
        defer { watcher.close() }
        relink("book/..data", "..2")
        let expected = FolderChanges(changed: ["ada.vcf", "bo.vcf"])
        #expect(folder.wait { $0.changes == expected }.changes == expected)
        folder.forget()
        try folder.write("book/..2/bo.vcf", "written later")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["bo.vcf"]))
    }

    @Test func `A file in a linked folder, and in one below, changes the link`() throws {
        try folder.makeFolder("book/.store/deep")
        link("book/family", ".store")
        let watcher = try folder.watch(ignored: .init(hidden: true))
        defer { watcher.close() }
        for name in ["ada.vcf", "deep/bo.vcf"] {
            try folder.write("book/.store/\(name)")
            #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["family"]))
            folder.forget()
        }
    }

    @Test func `A link that led nowhere is changed when its end appears`() throws {
        try folder.makeFolder("book/.store")
        link("book/ada.vcf", ".store/ada.vcf")
        let watcher = try folder.watch(ignored: .init(hidden: true))
        defer { watcher.close() }
        try folder.write("book/.store/ada.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["ada.vcf"]))
    }

    @Test func `What lies outside is not watched, and a link that leads around ends`() throws {
        try folder.write("outside.vcf")
        link("book/out.vcf", "../outside.vcf")
        link("book/around", "around")
        link("book/up", "..")
        let watcher = try folder.watch()
        defer { watcher.close() }
        try folder.write("outside.vcf", "longer")
        try folder.write("book/last.vcf")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(added: ["last.vcf"]))
    }

    @Test func `The watched folder's own link that is exchanged ends the watcher`() throws {
        try folder.makeFolder("second")
        link("named", "book")
        let watcher = try folder.watch("named")
        defer { watcher.close() }
        relink("named", "second")
        #expect(folder.wait { $0.ending != nil }.ending == .exchanged)
    }

    @Test func `A watched file behind links ends with them, and goes on while they lead to it`() throws {
        for version in ["..1", "..2"] {
            try folder.makeFolder(version)
            try folder.write("\(version)/all.vcf", version)
        }
        link("..data", "..1")
        link("all.vcf", "..data/all.vcf")
        let watcher = try folder.watch("all.vcf")
        defer { watcher.close() }
        relink("..data", "./..1")
        try folder.write("..1/all.vcf", "longer")
        #expect(folder.wait { !$0.changes.isEmpty }.changes == FolderChanges(changed: ["all.vcf"]))
        relink("..data", "..2")
        #expect(folder.wait { $0.ending != nil }.ending == .exchanged)
    }

    @Test func `Two folders that are exchanged keep their names, and stay watched`() throws {
        for name in ["a", "b"] { try folder.makeFolder("book/" + name) }
        try folder.write("book/a/1.vcf")
        try folder.write("book/b/2.vcf")
        let watcher = try folder.watch()
        defer { watcher.close() }
        exchange("book/a", "book/b")
        let expected = FolderChanges(added: ["a/2.vcf", "b/1.vcf"], removed: ["a/1.vcf", "b/2.vcf"])
        #expect(folder.wait { $0.changes == expected }.changes == expected)
        folder.forget()
        for name in ["a", "b"] { try folder.write("book/\(name)/new.vcf") }
        #expect(folder.wait { $0.changes.added.count == 2 }.changes.added == ["a/new.vcf", "b/new.vcf"])
    }

    @Test func `Two files that are exchanged are changed, and none is gone`() throws {
        for name in ["a.vcf", "b.vcf"] { try folder.write("book/" + name) }
        let watcher = try folder.watch()
        defer { watcher.close() }
        exchange("book/a.vcf", "book/b.vcf")
        let expected = FolderChanges(changed: ["a.vcf", "b.vcf"])
        #expect(folder.wait { $0.changes == expected }.changes == expected)
    }
}

/// Ways that change while they are walked, at the worst moment: after a look, before the watch.
@Suite(.timeLimit(.minutes(15))) struct ChangingWayTests {
    private let folder: TemporaryFolder
    private let queue = DispatchQueue(label: "test")

    init() throws { folder = try TemporaryFolder() }

    /// Follows `.photos/a.jpg` while `meanwhile` changes its way, once; then `later` must be noticed.
    private func follow(
        _ file: RelativePath = ".photos/a.jpg", meanwhile: @escaping () throws -> Void, later: () throws -> Void
    ) throws -> Bool {
        let root = Array(folder.pathString.utf8)
        let watches = LinkWatches(
            root: root, ignored: .init(hidden: true), maxWatches: 100, queue: queue, closing: DispatchGroup())
        let noticed = DispatchSemaphore(value: 0)
        try queue.sync {
            var isFirst = true
            watches.onResolved = {
                if isFirst { #expect(throws: Never.self) { try meanwhile() } }
                isFirst = false
            }
            watches.follow(file: file)
            watches.changed = { if $0.contains(file) { noticed.signal() } }
            // Nothing that happened before the walk's end is to be taken for the later change.
            watches.read()
            while noticed.wait(timeout: .now()) == .success {}
            try later()
        }
        defer { queue.sync { watches.end() } }
        return noticed.wait(timeout: .now() + testTimeout) == .success
    }

    private func path(_ name: String) -> String { folder.pathString + "/" + name }

    private func write(_ name: String) throws { try folder.write("x", to: name) }

    @Test func `A folder that appears after it was looked for is watched`() throws {
        try write(".other/a.jpg")
        let isNoticed = try follow(
            meanwhile: { rename(path(".other"), path(".photos")) }, later: { try write(".photos/a.jpg") })
        #expect(isNoticed)
    }

    @Test func `A file that appears after it was looked for is watched`() throws {
        try write(".photos/b.jpg")
        let isNoticed = try follow(
            meanwhile: { try write(".photos/a.jpg") }, later: { try write(".photos/a.jpg") })
        #expect(isNoticed)
    }

    @Test func `A folder that is exchanged after its file was found is watched with its new file`() throws {
        try write(".photos/a.jpg")
        try write(".other/a.jpg")
        let isNoticed = try follow(
            meanwhile: { exchange(".photos", ".other") }, later: { try write(".photos/a.jpg") })
        #expect(isNoticed)
    }

    @Test func `A folder that goes after it was found is noticed when it comes back`() throws {
        try write(".photos/a.jpg")
        let isNoticed = try follow(
            meanwhile: { rename(path(".photos"), path(".other")) },
            later: { rename(path(".other"), path(".photos")) })
        #expect(isNoticed)
    }

    private func exchange(_ one: String, _ other: String) {
        #expect(clinux_rename_exchange(AT_FDCWD, path(one), AT_FDCWD, path(other)) == 0)
    }
}

/// The work for many links to one folder.
@Suite(.timeLimit(.minutes(15))) struct SharedLinkEndTests {
    @Test func `A folder that many links lead to is listed once, and once again when it changes`() throws {
        let (folder, links, folders) = (try TemporaryFolder(), 60, 40)
        let root = folder.pathString
        for number in 0..<folders {
            try FileManager.default.createDirectory(
                atPath: root + "/.store/\(number)", withIntermediateDirectories: true)
        }
        for number in 0..<links { #expect(symlink(".store", root + "/link\(number)") == 0) }
        let queue = DispatchQueue(label: "test")
        let watches = LinkWatches(
            root: Array(root.utf8), ignored: .init(hidden: true), maxWatches: 10_000, queue: queue,
            closing: DispatchGroup())
        let changed = Locked<Set<RelativePath>>([])
        let names = (0..<links).map { RelativePath("link\($0)") }
        queue.sync {
            watches.changed = { links in
                changed.withLock { $0.formUnion(links) }
                for link in links { watches.follow(link) }
            }
            for name in names { watches.follow(name) }
            #expect(watches.listed == folders + 1)
        }
        try folder.write("x", to: ".store/7/new")
        let end = ContinuousClock.now + .seconds(300)
        while changed.withLock({ $0.count < links }), ContinuousClock.now < end { usleep(2_000) }
        #expect(changed.withLock { $0.count } == links)
        queue.sync {
            // The file was created, written and closed: a few reads of the descriptor, each of which lists all folders once.
            #expect(watches.listed <= 5 * (folders + 1))
            for name in names { watches.forget(name) }
            watches.follow(names[0])
            #expect(watches.listed <= 6 * (folders + 1))
            watches.end()
        }
    }
}
