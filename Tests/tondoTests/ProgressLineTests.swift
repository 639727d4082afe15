import Testing

@testable import tondo

@Suite struct ProgressLineTests {
    @Test func `Bar, count, rate and time left are shown`() {
        let line = ProgressLine(done: 50, total: 200, failed: 0, seconds: 2)
        #expect(line.text(columns: 80) == "[#######-----------------------] 50/200  25/s  ETA 0:06")
    }

    @Test func `Failures are counted`() {
        #expect(
            ProgressLine(done: 1, total: 2, failed: 1, seconds: 1).text(columns: 80).hasSuffix("ETA 0:01  1 failed"))
    }

    @Test func `Slow work shows tenths, long work hours`() {
        let line = ProgressLine(done: 1, total: 9001, failed: 0, seconds: 0.8)
        #expect(line.text(columns: 80).hasSuffix("1/9001  1.3/s  ETA 2:00:00"))
    }

    @Test func `Nothing is endless before the first photo`() {
        #expect(
            ProgressLine(done: 0, total: 3, failed: 0, seconds: 0).text(columns: 80).hasSuffix("0/3  0.0/s  ETA 0:00"))
    }

    @Test(arguments: 0...100)
    func `The line is shorter than the terminal`(_ columns: Int) {
        let line = ProgressLine(done: 4999, total: 5000, failed: 12, seconds: 1234)
        #expect(line.text(columns: columns).count <= max(0, columns - 1))
    }

    @Test func `A narrow terminal keeps the figures`() {
        #expect(ProgressLine(done: 1, total: 2, failed: 0, seconds: 1).text(columns: 24) == "1/2  1.0/s  ETA 0:01")
    }
}
