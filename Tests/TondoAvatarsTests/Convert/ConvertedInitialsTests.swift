import Synchronization
import SystemPackage
import Testing
import TondoContacts
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ConvertedInitialsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The reports of a conversion of a book with Ada and Bo and of these names. `square`: the picture for letters.
    private func convert(
        names: [String] = [],
        _ square: @escaping @Sendable (String) -> [UInt8] = { SmallBook.image(UInt8($0.utf8.count)) }
    ) throws -> [ConversionResult] {
        _ = try folder.write(SmallBook.card("Ada") + SmallBook.card("Bo Berg"), to: "book.vcf")
        let inputs = try ConversionInputs(
            names.isEmpty ? [folder.path.appending("book.vcf")] : [], names: names, recursive: false, output: nil
        ).inputs
        let plan = try ConversionPlan(
            inputs: inputs, styles: [Style(size: 8)], target: .folder(folder.path.appending("out")))
        let initials = InitialsPhotos(rule: .tondo) { letters, _ in .bytes(PhotoFile(copying: square(letters))) }
        let converter = Converter(styles: plan.styles, limits: Limits(), force: false, initials: initials)
        let results = Mutex<[ConversionResult]>([])
        ConversionRun(plan: plan, converter: converter).run { result in results.withLock { $0.append(result) } }
        return results.withLock { $0 }
    }

    @Test func `Contacts without a photo are converted to their initials`() throws {
        #expect(try convert().allSatisfy { $0.status == .done })
        #expect(try folder.bytes("out/Ada.png") != folder.bytes("out/Bo Berg.png"))
    }

    @Test func `A contact whose initials cannot be drawn is converted to the silhouette`() throws {
        #expect(try convert { _ in Array("no picture".utf8) }.allSatisfy { $0.status == .done })
        #expect(try folder.bytes("out/Ada.png") == folder.bytes("out/Bo Berg.png"))
    }

    @Test func `A name is converted to a file of its name`() throws {
        #expect(try convert(names: ["Ada Okafor", "../x"]).map(\.status) == [.done, .done])
        #expect(try folder.names(in: "out") == ["Ada Okafor.png", "x.png"])
    }

    @Test func `A name whose initials cannot be drawn fails with the reason`() throws {
        let results = try convert(names: ["Ada"]) { _ in Array("no picture".utf8) }
        #expect(results.map(\.status) == [.failed] && results[0].failure?.code == "unsupported")
        #expect(!folder.exists("out/Ada.png"))
    }
}
