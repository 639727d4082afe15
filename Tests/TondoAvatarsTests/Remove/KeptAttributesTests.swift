import CLinux
import Foundation
import SystemPackage
import Testing
import TondoContacts
import TondoFiles
import TondoTestSupport

@testable import TondoAvatars

/// What a file has beside its bytes stays when contacts go and come back.
@Suite struct KeptAttributesTests {
    private let people: VCardFolder

    init() throws { people = try VCardFolder() }

    /// Read and write for the owner, read for user 12345, nothing for the group and for others (acl(5)).
    private static let list: [UInt8] = {
        let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
            (0x01, 6, .max), (0x02, 4, 12345), (0x04, 0, .max), (0x10, 4, .max), (0x20, 0, .max),
        ]
        var bytes: [UInt8] = [2, 0, 0, 0]
        for entry in entries {
            withUnsafeBytes(of: entry.tag.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: entry.rights.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: entry.id.littleEndian) { bytes += $0 }
        }
        return bytes
    }()

    private func attributes(_ name: String) throws -> FileAttributes {
        let file = try FileDescriptor.open(people.path.pushing(FilePath(name)), .readOnly)
        return try file.closeAfter { try FileAttributes(file) }
    }

    /// Nil where the file system has no such attributes.
    private func mark(_ name: String) throws -> FileAttributes? {
        let file = try FileDescriptor.open(people.path.pushing(FilePath(name)), .readWrite)
        try file.closeAfter {
            for (name, value) in [("user.tag", Array("colleague".utf8)), (FileAttributes.accessList, Self.list)] {
                _ = value.withUnsafeBytes { clinux_fsetxattr(file.rawValue, name, $0.baseAddress, $0.count) }
            }
        }
        let attributes = try attributes(name)
        return attributes.extended.count == 2 ? attributes : nil
    }

    @Test func `A replaced file keeps its access list and its owner's attributes`() throws {
        guard let before = try mark("all.vcf") else { return }
        #expect(before.mode == 0o640)
        try people.remove("dora")
        #expect(try attributes("all.vcf") == before)
        #expect(try people.restore("dora") == .restored)
        #expect(try attributes("all.vcf") == before)
    }

    @Test func `A deleted file comes back with them`() throws {
        guard let before = try mark("ada.vcf") else { return }
        try people.remove("ada")
        #expect(try people.restore("ada") == .restored)
        #expect(try attributes("ada.vcf") == before)
    }

    @Test func `A file without a list gets none from its folder`() throws {
        let folder = try FileDescriptor.open(people.path, .readOnly)
        try folder.closeAfter {
            let name = "system.posix_acl_default"
            _ = Self.list.withUnsafeBytes { clinux_fsetxattr(folder.rawValue, name, $0.baseAddress, $0.count) }
        }
        let file = people.path.appending("all.vcf").string
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let before = try attributes("all.vcf")
        try people.remove("dora")
        #expect(try attributes("all.vcf") == before)
    }
}
