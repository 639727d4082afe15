import Foundation
import SystemPackage
import Testing
import TondoFiles
import TondoMirror
import TondoTestSupport

@testable import TondoAvatars

/// What a removal that was killed left beside a book.
@Suite struct LeftBookTests {
    private let people: VCardFolder

    init() throws { people = try VCardFolder() }

    private static let old = VCardFolder.cards(["carl", "dora", "emi"])
    private static let new = VCardFolder.cards(["dora", "emi"])

    /// A file with the name that a process which has ended gave it.
    private func leave(_ bytes: [UInt8]) throws -> String {
        let process = try Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
        process.waitUntilExit()
        let marks = [FileDigest(Self.old).text, FileDigest(Self.new).text]
        let name = ".tondo-\(process.processIdentifier)-1-\(marks.joined(separator: "-")).tmp"
        try people.folder.write(bytes, to: "people/\(name)")
        return name
    }

    private func isThere(_ name: String) throws -> Bool { try people.folder.names(in: "people").contains(name) }

    @Test(arguments: [old, new]) func `The next removal deletes the old and the new book`(bytes: [UInt8]) throws {
        let name = try leave(bytes)
        try people.remove("carl")
        #expect(try !isThere(name))
    }

    @Test func `The next restoration does, too`() throws {
        try people.remove("carl")
        let name = try leave(Self.old)
        _ = try people.restore("carl")
        #expect(try !isThere(name))
    }

    @Test func `A folder with many names is not listed for each removal`() throws {
        for number in 0...1_000 { try people.folder.write([], to: "people/\(number).txt") }
        let first = try leave(Self.old)
        try people.remove("carl")
        #expect(try !isThere(first))
        let second = try leave(Self.old)
        try people.remove("dora")
        #expect(try isThere(second))
    }

    @Test func `A change of another program that came out at the kill stays`() throws {
        let name = try leave(Self.old + VCardFolder.card("zoe"))
        try people.remove("carl")
        #expect(try isThere(name))
    }

    @Test func `A file whose owner holds its lock stays`() throws {
        let name = try leave(Self.old)
        let file = try FileDescriptor.open(people.path.appending(name), .readOnly)
        #expect(LockKind.exclusive.tryLock(file.rawValue))
        try people.remove("carl")
        #expect(try isThere(name))
        try file.close()
        try people.remove("dora")
        #expect(try !isThere(name))
    }

    @Test func `The name of a file that leaves says what it holds`() throws {
        let place = people.path.appending("all.vcf")
        let left = LeftBook.path(beside: place, holding: [FileDigest(Self.old), nil])
        #expect(left.removingLastComponent() == people.path)
        #expect(left.lastComponent?.string.hasSuffix("-\(FileDigest(Self.old).text).tmp") == true)
    }
}
