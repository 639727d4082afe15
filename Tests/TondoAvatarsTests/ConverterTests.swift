import Dispatch
import Glibc
import Synchronization
import SystemPackage
import Testing
import TondoFiles
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

@Suite struct ConverterTests {
    private let folder: TemporaryFolder
    private let photo: FilePath
    private let styles = [Style(size: 16), Style(size: 20), Style(size: 24)]

    init() throws {
        folder = try TemporaryFolder()
        photo = try folder.write(SmallPhoto.bytes, to: "ada.jpg")
    }

    private func convert(
        _ path: FilePath? = nil, isFound: Bool = false, force: Bool = false, limits: Limits = Limits()
    ) throws -> ConversionResult {
        let input = ConversionInput(source: .file(path ?? photo), stem: "ada", isFound: isFound)
        let plan = try ConversionPlan(inputs: [input], styles: styles, target: .folder(folder.path.appending("out")))
        return Converter(styles: styles, limits: limits, force: force).result(of: plan.items[0])
    }

    @Test func `Every style is drawn and reported with its size`() throws {
        let result = try convert()
        #expect(result.status == .done)
        #expect(result.header?.width == 41)
        #expect(result.outputs.map(\.isWritten) == [true, true, true])
        for output in result.outputs {
            #expect(try folder.bytes("out/" + (output.path.lastComponent?.string ?? "")).count == output.bytes)
        }
        #expect(try folder.names(in: "out").count == 3)
    }

    @Test func `What is there is skipped without a decode`() throws {
        _ = try convert()
        let result = try convert()
        #expect(result.status == .skipped)
        #expect(result.header == nil)
        #expect(result.outputs.map(\.isWritten) == [false, false, false])
    }

    @Test func `Only the styles that are missing are drawn`() throws {
        _ = try convert()
        let whole = try folder.bytes("out/ada-20@1x-normal.png")
        try folder.write([], to: "out/ada-20@1x-normal.png")
        let result = try convert()
        #expect(result.status == .done)
        #expect(result.outputs.filter(\.isWritten).map(\.style.size) == [20])
        #expect(try folder.bytes("out/ada-20@1x-normal.png") == whole)
    }

    /// Converts while `change` happens between opening and drawing the photo.
    private func convert(
        _ path: FilePath, _ change: @escaping @Sendable (Converter) -> Void
    ) throws -> ConversionResult? {
        let input = ConversionInput(source: .file(path), stem: "ada")
        let plan = try ConversionPlan(inputs: [input], styles: styles, target: .folder(folder.path.appending("out")))
        let current = Current()
        let converter = Converter(styles: styles, limits: Limits(), force: false) { options in
            options.keptPhotos = 0
            options.system.drawing = { current.run(change) }
        }
        current.converter.withLock { $0 = converter }
        return converter.result(of: plan.items[0])
    }

    @Test func `A photo that changes between opening and drawing is opened again`() throws {
        let (folder, changed) = (folder, SmallBook.image(7))
        let result = try convert(photo) { _ in _ = try? folder.write(changed, to: "ada.jpg") }
        #expect(result?.status == .done && result?.header?.width == 8)
    }

    @Test func `A photo that goes on changing fails with its code`() throws {
        let folder = folder
        let input = ConversionInput(source: .file(photo), stem: "ada")
        let plan = try ConversionPlan(inputs: [input], styles: styles, target: .folder(folder.path.appending("out")))
        let counter = Shade()
        let result = Converter(styles: styles, limits: Limits(), force: false) { options in
            options.keptPhotos = 0
            options.system.drawing = { _ = try folder.write(SmallBook.image(counter.next()), to: "ada.jpg") }
        }.result(of: plan.items[0])
        #expect(result.status == .failed && result.failure?.code == "photo-changed")
    }

    @Test(arguments: [true, false]) func `A stop loses no photo that was read from a pipe`(_ isPipe: Bool) throws {
        var path = photo
        if isPipe {
            path = folder.path.appending("pipe.jpg")
            #expect(mkfifo(path.string, 0o600) == 0)
            let pipe = path
            DispatchQueue.global().async {
                guard let writer = try? FileDescriptor.open(pipe, .writeOnly) else { return }
                _ = try? writer.closeAfter { try writer.writeAll(SmallPhoto.bytes) }
            }
        }
        let result = try convert(path) { $0.stop() }
        // Without a result `left` stands for it.
        #expect(result?.status == (isPipe ? .done : .left))
    }

    @Test func `Force draws all again`() throws {
        _ = try convert()
        #expect(try convert(force: true).outputs.map(\.isWritten) == [true, true, true])
    }

    @Test func `A stray in a folder is passed over, the same file by name fails`() throws {
        let note = try folder.write(Array("a note".utf8), to: "note.txt")
        #expect(try convert(note, isFound: true).status == .ignored)
        #expect(try convert(note).status == .failed)
    }

    @Test func `Another picture format in a folder fails`() throws {
        let bmp = try folder.write(Array("BM..........".utf8), to: "a.bmp")
        let result = try convert(bmp, isFound: true)
        #expect(result.status == .failed)
        #expect(result.failure?.message == "unsupported: BMP image (save it as JPEG or PNG)")
    }

    @Test func `A text that is called a photo fails in a folder too`() throws {
        let text = try folder.write(Array("<html>".utf8), to: "a.jpg")
        #expect(try convert(text, isFound: true).failure?.code == "unsupported")
    }

    @Test func `An empty photo is named empty`() throws {
        let result = try convert(folder.write([], to: "a.jpg"), isFound: true)
        #expect(result.failure?.code == "empty")
        #expect(result.failure?.stage == "probe")
    }

    @Test func `A failure writes nothing`() throws {
        _ = try convert(folder.write(Array(SmallPhoto.bytes.prefix(200)), to: "cut.jpg"))
        #expect(try folder.names() == ["ada.jpg", "cut.jpg"])
    }

    @Test func `An unreadable file has its own code`() throws {
        let failure = try convert(folder.path.appending("gone.jpg")).failure
        #expect(failure?.stage == "file")
        #expect(failure?.code == "file-read")
        #expect(failure?.message == "cannot be read: no such file or directory")
    }

    @Test func `An avatar that cannot be written has its own code`() throws {
        try folder.makeFolder("out/ada-16@1x-normal.png")
        let failure = try convert().failure
        #expect(failure?.code == "file-write")
        #expect(failure?.message.hasSuffix("ada-16@1x-normal.png: is a directory") == true)
    }

    @Test func `A pipe in the place of a picture is neither replaced nor waited for`() throws {
        try folder.makeFolder("out")
        #expect(mkfifo(folder.path.string + "/out/ada-16@1x-normal.png", 0o600) == 0)
        #expect(try convert().failure?.code == "file-foreign")
    }
}

extension Converter {
    /// Blocks until the photo is converted.
    func result(of item: ConversionPlan.Item) -> ConversionResult {
        let done = DispatchSemaphore(value: 0)
        let box = Ended()
        convert(item) { result in
            box.result.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        return box.result.withLock { $0 } ?? ConversionResult(input: item.input, status: .left)
    }
}

private final class Ended: Sendable {
    let result = Mutex<ConversionResult?>(nil)
}

/// The converter that a hook of its own pipeline uses.
private final class Current: Sendable {
    let converter = Mutex<Converter?>(nil)
    private let isDone = Atomic<Bool>(false)

    /// Once.
    func run(_ change: (Converter) -> Void) {
        if isDone.exchange(true, ordering: .relaxed) { return }
        if let converter = converter.withLock({ $0 }) { change(converter) }
    }
}

private final class Shade: Sendable {
    private let shade = Atomic<UInt8>(0)

    func next() -> UInt8 { shade.wrappingAdd(1, ordering: .relaxed).newValue }
}
