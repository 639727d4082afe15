import Testing
import TondoTestSupport

@testable import TondoFiles

@Suite struct FolderWatcherPropertyTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `Whatever happens to a folder, the reports agree with its content`(_ seed: UInt64) throws {
        let folder = try WatchedFolder()
        let watcher = try folder.watch(debounceDelay: .milliseconds(Int(seed)))
        defer { watcher.close() }
        var random = SplitMix64(seed)
        let names = ["a", "b", "c"]
        for _ in 0..<150 {
            let depth = Int.random(in: 1...3, using: &random)
            let path = "book/" + (0..<depth).map { _ in names.randomElement(using: &random)! }.joined(separator: "/")
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4: try? folder.write(path + ".vcf")
            case 4..<6: try? folder.makeFolder(path)
            case 6: try? folder.remove(path)
            case 7: try? folder.remove(path + ".vcf")
            case 8: folder.move(path, to: "book/" + names.randomElement(using: &random)!)
            default: folder.move(path + ".vcf", to: "book/" + names.randomElement(using: &random)! + ".vcf")
            }
        }
        let files = folder.files
        let seen = folder.wait { $0.files == files }
        #expect(seen.files == files && seen.reasons == [])
    }
}
