import Glibc
import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct WatchRecordTests {
    private func parse(_ bytes: [UInt8]) -> (records: [WatchRecord], isWhole: Bool) {
        bytes.withUnsafeBytes { WatchRecord.parse($0) }
    }

    @Test func `Records are read one after the other, names without their padding`() {
        let bytes = WatchRecord.bytes(1, IN_CREATE, "a.vcf") + WatchRecord.bytes(2, IN_DELETE_SELF, "")
        let (records, isWhole) = parse(bytes)
        #expect(isWhole && records.map(\.watch) == [1, 2])
        #expect(records[0].name == Array("a.vcf".utf8) && records[0].has(IN_CREATE) && !records[0].isFolder)
        #expect(records[1].name.isEmpty && records[1].has(IN_DELETE_SELF))
    }

    @Test func `An empty buffer holds nothing`() {
        #expect(parse([]).isWhole && parse([]).records.isEmpty)
    }

    @Test func `A buffer that is cut short gives what came before, and says so`() {
        let bytes = WatchRecord.bytes(1, IN_CREATE, "a.vcf") + WatchRecord.bytes(2, IN_CREATE, "b.vcf")
        for count in 1..<bytes.count where count != bytes.count / 2 {
            let (records, isWhole) = parse(Array(bytes[..<count]))
            #expect(!isWhole && records.count == (count > bytes.count / 2 ? 1 : 0))
        }
    }

    @Test(arguments: ["a/b", "..", ".", "/"])
    func `Names that lead elsewhere are not believed`(_ name: String) {
        #expect(!parse(WatchRecord.bytes(1, IN_CREATE, name)).isWhole)
    }

    @Test func `A name without its end is not believed`() {
        var bytes = WatchRecord.bytes(1, IN_CREATE, "a")
        for place in WatchRecord.headerSize..<bytes.count { bytes[place] = 120 }
        #expect(!parse(bytes).isWhole)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Bytes of any kind do no harm`(_ seed: UInt64) {
        var random = SplitMix64(seed)
        var tree = WatchTree(scope: .everything, ignored: .init())
        tree.setWatch(1, of: "")
        for _ in 0..<300 {
            var bytes = WatchRecord.bytes(Int32.random(in: -1...3, using: &random), IN_CREATE, "name")
            bytes += WatchRecord.bytes(1, IN_MOVED_FROM | IN_ISDIR, "a")
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            for record in parse(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))).records {
                for case .cover(let path) in tree.apply(record) {
                    tree.setWatch(Int32.random(in: 2...9, using: &random), of: path)
                    _ = tree.list(path, entries: [.init(name: [120], isFolder: false)], isAgain: false)
                }
            }
        }
        _ = tree.takeChanges()
    }
}

extension WatchRecord {
    /// A record as the kernel writes it, the name padded to 16 bytes.
    static func bytes(_ watch: Int32, _ mask: some BinaryInteger, _ name: String) -> [UInt8] {
        let length = name.isEmpty ? 0 : (name.utf8.count / 16 + 1) * 16
        var bytes: [UInt8] = []
        for number in [UInt32(bitPattern: watch), UInt32(mask), 0, UInt32(length)] {
            withUnsafeBytes(of: number) { bytes += $0 }
        }
        return bytes + name.utf8 + [UInt8](repeating: 0, count: length - name.utf8.count)
    }
}
