import Foundation
import Synchronization
import Testing
import TondoDrawText
import TondoImage
import TondoTestSupport

@testable import TondoRender

@Suite struct InitialsWorkerTests {
    private let initials: DrawnInitials

    init() throws { initials = try DrawnInitials() }

    private func process() throws -> WorkerProcess {
        try WorkerProcess(program: BuiltProgram.path("tondo-render-text"), memory: 1 << 30, within: .seconds(300))
    }

    private func lines(_ file: String, of process: WorkerProcess) throws -> [String] {
        // In parts: the kernel gives a page of such a file at a time.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/\(process.process)/\(file)"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `It has its fonts in memory, and no file open`() throws {
        let process = try process()
        let maps = try lines("maps", of: process)
        #expect(
            maps.contains { $0.hasSuffix("NotoSans-Bold.ttf") } && maps.contains { $0.hasSuffix("NotoColorEmoji.ttf") })
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.process)/fd")
        #expect(files.compactMap { Int($0) }.allSatisfy { $0 <= 3 }, "\(files)")
    }

    @Test func `One process draws all scripts, and opens nothing for them`() throws {
        for text in InitialsInScriptsTests.capitals + InitialsInScriptsTests.others {
            #expect(initials.error(text) == nil, "\(text)")
        }
        let counters = initials.workers.counters(of: .text)
        #expect(counters.started == 1 && counters.crashed == 0 && counters.killed == 0)
    }

    @Test func `What no font has is named`() {
        #expect(initials.error("\u{10FFFD}") == .missingGlyph(0x10FFFD))
        #expect(initials.error("A\u{E000}") == .missingGlyph(0xE000))
        #expect(ImageError.missingGlyph(0x41).description == "no font has U+0041")
        #expect(initials.error("A") == nil)
    }

    @Test func `Other fonts than those of the drawing do not draw it`() {
        #expect(initials.error("A", fonts: [UInt8](repeating: 0, count: 32)) == .otherFonts)
    }

    @Test func `A process with other fonts is replaced, so that an update of the fonts needs no restart`() {
        #expect(initials.error("A") == nil)
        #expect(initials.error("A", fonts: [UInt8](repeating: 0, count: 32)) == .otherFonts)
        #expect(initials.workers.counters(of: .text).running == 0)
        #expect(initials.error("A") == nil)
        let counters = initials.workers.counters(of: .text)
        #expect(counters.started == 2 && counters.otherFonts == 1 && counters.crashed == 0)
    }

    @Test func `It draws nothing but initials`() throws {
        #expect(initials.error(Silhouette.photo) == .notAnImage("not a drawing of initials"))
        #expect(initials.error([]) == .notAnImage("not a drawing of initials"))
        #expect(initials.error(DrawnInitials.drawing("A").encoded + [0]) == .notAnImage("not a drawing of initials"))
    }

    @Test func `Without its program initials are unsupported`() throws {
        var options = RenderWorkers.Options(program: try BuiltProgram.path("tondo-render"))
        options.programs[.text] = "/nowhere/tondo-render-text"
        let workers = RenderWorkers(options: options)
        let setup = RenderSetup(styles: [Style(size: 16)], limits: Limits())
        let error = #expect(throws: RenderError.self) {
            try DrawnInitials.drawing("A").encoded.withUnsafeBytes { bytes in
                _ = try workers.draw(
                    [.init(index: 0, keyword: "k", text: "t")], with: setup, of: .bytes(bytes), format: .initials,
                    crop: nil,
                    within: .seconds(300)
                ) { _, _ in }
            }
        }
        #expect(error?.error == .unsupported("initials (install tondo-text)"))
    }

    /// Marks and joiners without end, overrides of direction, variation selectors, noncharacters, tags, long ligatures.
    static let hostile = [
        "e" + String(repeating: "\u{301}", count: 5_000), String(repeating: "\u{202E}A\u{202D}", count: 100),
        String(repeating: "👩\u{200D}", count: 100), String(repeating: "\u{FE0F}", count: 100), "\u{FFFE}\u{FFFF}",
        "🏴" + String(repeating: "\u{E0067}", count: 50), String(repeating: "\u{FDFD}", count: 8),
        String(repeating: "\u{2066}", count: 200) + "A", "A\u{0}\u{1}\u{7F}\u{85}B", "\u{1F1E6}",
        String(repeating: "क्", count: 30) + "क",
        String(repeating: "ཧཱུྃ", count: 4), "\u{FEFF}", "ﷺﷺﷺﷺﷺﷺﷺﷺ", String(repeating: "\u{0E33}", count: 30),
        "\u{115F}\u{1160}",
        "Z" + String(repeating: "\u{0350}\u{0321}", count: 500), "\u{3164}", "  ", "\u{2060}\u{FFFC}",
    ]

    @Test(arguments: hostile) func `Hostile text is drawn inside the circle, or refused`(_ text: String) throws {
        switch initials.error(text) {
        case nil: #expect(try Ink(LocalInitials.draw(text)).reach <= 256 * 0.46)
        case .missingGlyph: break
        case let error: Issue.record("\(String(describing: error))")
        }
        #expect(initials.error("A") == nil)
        let counters = initials.workers.counters(of: .text)
        #expect(counters.started == 1 && counters.crashed == 0)
    }
}

@Suite struct FontSetTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fonts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func add(_ name: String, _ content: String) throws {
        try Data(content.utf8).write(to: folder.appendingPathComponent(name))
    }

    private var set: FontSet { FontSet(in: [folder.path]) }

    @Test func `Fonts are asked in one order, wherever they are`() throws {
        for name in ["NotoSansCJK-Bold.ttc", "DejaVuSans.ttf", "NotoSans-Bold.ttf", "NotoColorEmoji.ttf", "Other.ttf"] {
            try add(name, name)
        }
        #expect(
            set.files.map { $0.path.split(separator: "/").last ?? "" }
                == ["NotoSans-Bold.ttf", "NotoSansCJK-Bold.ttc", "DejaVuSans.ttf", "NotoColorEmoji.ttf"])
    }

    @Test func `A font in one weight is used for both`() throws {
        try add("NotoSans-Bold.ttf", "b")
        #expect(set.files.first?.isRegular == true)
        try add("NotoSans-Regular.ttf", "r")
        #expect(set.files.map(\.isBold) == [true, false] && set.files.map(\.isRegular) == [false, true])
    }

    @Test func `Other fonts, or other contents, make another digest`() throws {
        try add("NotoSans-Bold.ttf", "one")
        let first = InitialsDrawer.digest(of: set)
        #expect(first.count == 32 && first == InitialsDrawer.digest(of: set))
        try add("NotoSans-Bold.ttf", "two")
        let second = InitialsDrawer.digest(of: set)
        try add("NotoSansThai-Bold.ttf", "")
        #expect(Set([first, second, InitialsDrawer.digest(of: set)]).count == 3)
    }

    @Test func `Emoji alone are no fonts`() throws {
        #expect(set.isEmpty)
        try add("NotoColorEmoji.ttf", "e")
        #expect(set.isEmpty)
        try add("DejaVuSans-Bold.ttf", "d")
        #expect(!set.isEmpty)
    }

    @Test func `Without fonts the packages are named`() {
        let error = LocalInitials.drawer.withLock { _ in
            let drawer = InitialsDrawer.prepare(FontSet(in: []))
            return #expect(throws: RenderError.self) {
                try DrawnInitials.drawing("A").encoded.withUnsafeBytes {
                    try AvatarRenderer(styles: [Style(size: 16)], linked: drawer).draw(Photo($0))
                }
            }
        }
        #expect(
            error?.description
                == "unsupported: initials without a font (install fonts-noto-core, fonts-noto-cjk and "
                + "fonts-noto-color-emoji, or fonts-dejavu-core)")
    }
}
