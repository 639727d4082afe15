import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoMirror

struct MirrorJournalTests {
    private let folder: TemporaryFolder
    private let journal: MirrorJournal

    init() throws {
        folder = try TemporaryFolder()
        journal = MirrorJournal(path: folder.path.appending("journal"))
    }

    private func entry(_ file: String) -> MirrorJournal.Entry {
        MirrorJournal.Entry(id: "/a", member: .init(file: file, version: "1", digest: FileDigest([1])))
    }

    @Test(arguments: ["../b.vcf", "/tmp/b.vcf", "photos/../../b.vcf", "./b.vcf", "photos/", ""])
    func `an entry for a file outside of the mirror is none`(file: String) throws {
        var journal = journal
        try journal.append([entry("a.vcf"), entry(file), entry("photos/1.jpg")])
        journal.close()
        #expect(journal.entries() == [entry("a.vcf"), entry("photos/1.jpg")])
    }

    /// A device has no fdatasync(2) and fails with EINVAL, as some file systems do.
    @Test
    func `a journal is written where the file system cannot flush it`() throws {
        var journal = MirrorJournal(path: "/dev/null")
        try journal.append([entry("a.vcf")])
        journal.close()
    }
}
