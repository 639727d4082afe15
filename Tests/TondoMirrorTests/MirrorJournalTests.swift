import SystemPackage
import Testing
import TondoTestSupport

@testable import TondoMirror

struct MirrorJournalTests {
    private let folder: TemporaryFolder
    private let journal: MirrorJournal

    init() throws {
        folder = try TemporaryFolder()
        journal = MirrorJournal(folder.path.appending("journal"))
    }

    private func entry(_ file: String) -> MirrorJournal.Entry {
        MirrorJournal.Entry(id: "/a", member: .init(file: file, version: "1", digest: FileDigest([1])))
    }

    /// A device has no fdatasync(2) and fails with EINVAL, as some file systems do.
    @Test
    func `a journal is written where the file system cannot flush it`() throws {
        var journal = MirrorJournal("/dev/null")
        try journal.append([entry("a.vcf")])
        journal.close()
    }
}
