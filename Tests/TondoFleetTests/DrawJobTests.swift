import Testing
import TondoImage

@testable import TondoFleet

@Suite struct DrawJobTests {
    static func job(_ source: DrawJob.Source = .blob("tondo:1:photo:ab"), run: String = "r", number: Int = 7) -> DrawJob
    {
        DrawJob(
            run: run, number: number, contact: "a b\n", digest: String(repeating: "0a", count: 32), source: source,
            styles: StyleTextTests.styles)
    }

    static let jobs: [DrawJob] = {
        var cropped = job(.file("/srv/Ä b/x.jpg"))
        cropped.crop = CropRectangle(x: -3, y: 0, width: 10, height: 2_000)
        return [job(), cropped, job(.silhouette, run: ""), job(.initials([0x74, 0, 0xFF]))]
    }()

    @Test(arguments: jobs) func `A job is read back from its entry`(_ job: DrawJob) throws {
        #expect(try DrawJob(fields: job.fields) == job)
    }

    @Test func `A job of a newer version is left to newer workers`() {
        var fields = Self.job().fields
        fields[1] = Array("2".utf8)
        #expect(throws: DrawJob.Malformed.version) { try DrawJob(fields: fields) }
    }

    @Test func `An entry that is too large, cut or foreign is no job`() {
        var large = Self.job().fields
        large[3] = [UInt8](repeating: 65, count: DrawJob.longestField + 1)
        #expect(throws: DrawJob.Malformed.size) { try DrawJob(fields: large) }
        for count in 2..<Self.job().fields.count - 2 {
            #expect(throws: DrawJob.Malformed.self) { try DrawJob(fields: Array(Self.job().fields.prefix(count))) }
        }
        #expect(throws: DrawJob.Malformed.version) { try DrawJob(fields: []) }
    }

    @Test func `A result is read back from its text`() {
        let key = String(repeating: "c", count: 64)
        let avatars = [
            JobResult.Avatar(key: key, isDrawn: true, milliseconds: 1.25),
            JobResult.Avatar(key: key, isDrawn: false, milliseconds: 0),
        ]
        let results = [
            JobResult(number: 3, avatars: avatars), JobResult(number: 0, avatars: []),
            JobResult(number: 4, code: "undecodable", message: "truncated"),
        ]
        for result in results { #expect(JobResult(result.text) == result) }
        let tabbed = JobResult(number: 4, code: "x", message: "a\tb")
        #expect(JobResult(tabbed.text)?.message == "a b")
    }

    @Test(arguments: ["", "1", "1\t", "a\t\t", "1\t\tzz,drawn,1", "1\t\t\(String(repeating: "c", count: 64)),made,1"])
    func `Other text is no result`(_ text: String) { #expect(JobResult(text) == nil) }
}
