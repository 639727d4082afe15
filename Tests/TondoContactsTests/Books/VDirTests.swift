import Foundation
import SystemPackage
import Testing

@testable import TondoContacts

@Suite struct VDirTests {
    /// A new folder with these files, given to `body` and removed; a name ending in `/` is a folder.
    private func withFolder(_ names: [String], _ body: (URL) throws -> Void) throws {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appendingPathComponent("vdir-\(UUID().uuidString)")
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: folder) }
        for name in names {
            let file = folder.appendingPathComponent(name)
            let parent = name.hasSuffix("/") ? file : file.deletingLastPathComponent()
            try manager.createDirectory(at: parent, withIntermediateDirectories: true)
            if !name.hasSuffix("/") { try Data("BEGIN:VCARD\r\n".utf8).write(to: file) }
        }
        try body(folder)
    }

    private func items(_ folder: URL) throws -> [String] { try VDir(FilePath(folder.path)).items.map(\.string) }

    @Test func `Items of all collections come in the order of their names`() throws {
        try withFolder(["b/2.vcf", "b/1.VCF", "a.vcf", "b.vcf", "c/d/e/3.Vcf"]) { folder in
            let found = try items(folder)
            #expect(found == ["a.vcf", "b.vcf", "b/1.VCF", "b/2.vcf", "c/d/e/3.Vcf"])
        }
    }

    @Test func `Temporary, hidden and other files are no items`() throws {
        try withFolder(["a.vcf.tmp", ".b.vcf", ".git/c.vcf", "displayname", "d.jpg", "e.vcf/", "vcf", "f.vcf"]) {
            folder in
            let found = try items(folder)
            #expect(found == ["f.vcf"])
        }
    }

    @Test func `Links are followed inside of the folder only, and nothing comes twice`() throws {
        try withFolder(["book/a.vcf", "book/photos/b.vcf", "outside/secret.vcf", "bookish/c.vcf", "book/.store/d.vcf"])
        { folder in
            let book = folder.appendingPathComponent("book")
            for (name, target) in [
                ("1.vcf", "../outside/secret.vcf"), ("2", "../outside"), ("3", "photos"), ("4", "."),
                ("5.vcf", "a.vcf"),
                ("6.vcf", "nowhere"), ("7", "../bookish"), ("8", ".."), ("linked", ".store"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: book.appendingPathComponent(name).path, withDestinationPath: target)
            }
            let found = try items(book)
            #expect(found == ["a.vcf", "linked/d.vcf", "photos/b.vcf"])
            // A contact that is left out is named; the folder above the book has none.
            let failures = try VDir(FilePath(book.path)).failures
            #expect(Set(failures.map(\.file)) == ["1.vcf", "2", "7"] && failures.allSatisfy { $0.error == .outside })
        }
    }

    @Test func `A link that may not be followed is a failure, and one that leads nowhere is none`() throws {
        try withFolder(["book/a.vcf"]) { folder in
            let book = folder.appendingPathComponent("book")
            // No file system has such a name: another reason than a missing file, for root, too.
            let long = String(repeating: "x", count: 300)
            for (name, target) in [("1.vcf", long), ("2.vcf", "nowhere"), ("3.vcf", "3.vcf"), ("4.vcf", "a.vcf/b")] {
                try FileManager.default.createSymbolicLink(
                    atPath: book.appendingPathComponent(name).path, withDestinationPath: target)
            }
            let failures = try VDir(FilePath(book.path)).failures
            #expect(failures == [ContactFailure(file: "1.vcf", line: nil, error: .unreadable(.fileNameTooLong))])
        }
    }

    @Test func `A second name that is no item hides nothing`() throws {
        try withFolder(["ada.vcf", "bo.vcf", "versions/cy-3"]) { folder in
            let manager = FileManager.default
            for (name, file) in [("ada.bak", "ada.vcf"), ("a/ada", "ada.vcf"), ("bo.vcf.tmp", "bo.vcf")] {
                let link = folder.appendingPathComponent(name)
                try manager.createDirectory(
                    at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
                try manager.linkItem(at: folder.appendingPathComponent(file), to: link)
            }
            try manager.createSymbolicLink(
                atPath: folder.appendingPathComponent("cy.vcf").path, withDestinationPath: "versions/cy-3")
            #expect(try items(folder) == ["ada.vcf", "bo.vcf", "cy.vcf"])
        }
    }

    @Test func `A file with two names of items is listed under the first, and the other is known`() throws {
        try withFolder(["b/ada.vcf", "versions/cy-2"]) { folder in
            let manager = FileManager.default
            let real = FilePath(folder.resolvingSymlinksInPath().path)
            func link(_ name: String, to file: String) throws {
                try manager.linkItem(
                    at: folder.appendingPathComponent(file), to: folder.appendingPathComponent(name))
            }
            try link("b/zoe.vcf", to: "b/ada.vcf")
            try link("versions/cy-3", to: "versions/cy-2")
            for (name, target) in [("cy.vcf", "versions/cy-3"), ("di.vcf", "versions/cy-2"), ("al.vcf", "b/ada.vcf")] {
                try manager.createSymbolicLink(
                    atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
            }
            let found = try VDir(FilePath(folder.path))
            #expect(found.items == ["b/ada.vcf", "di.vcf"])
            let names = Set(found.otherNames.values.flatMap(\.self))
            #expect(names == [real.pushing("b/zoe.vcf"), real.pushing("b/ada.vcf"), real.pushing("versions/cy-3")])
        }
    }

    @Test func `A folder that is not there is an error`() {
        #expect(throws: ContactsError.unreadable(.noSuchFileOrDirectory)) { try VDir("/nowhere/at/all") }
    }
}
