import Testing
import TondoMirror

@testable import TondoSync

struct SyncReportTests {
    @Test func `a dry run says what is here, and what would be changed`() {
        var status = MirrorStatus(kind: "carddav", lastRun: 0)
        #expect(SyncReport.text(of: status, isDry: true) == "0 contacts here, unchanged (nothing was written)")
        (status.contacts, status.added, status.removed, status.milliseconds) = (1, 2, 3, 410)
        #expect(
            SyncReport.text(of: status, isDry: true)
                == "1 contact here, 2 would be added, 3 would be removed (nothing was written)")
        #expect(SyncReport.text(of: status, isDry: false) == "1 contact, 2 added, 3 removed in 0.4 s")
    }

    @Test func `a refused connection without TLS names the option that permits it`() {
        let error = HTTPError.insecure(host: "dav.example.org")
        #expect("\(error)".hasSuffix("use https, or --insecure (insecure = true)"))
    }
}
