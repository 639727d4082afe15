import Synchronization
import Testing
import TondoDrawText
import TondoRender
import TondoTestSupport

@testable import TondoImage

/// Initials drawn in this process, by one test after the other, as Pango is for one thread.
enum LocalInitials {
    static let drawer = Mutex(InitialsDrawer.prepare(FontSet()))

    /// White letters on a black square.
    static func draw(_ text: String, side: Int = 256, isBold: Bool = true) throws -> Canvas {
        try drawer.withLock { drawer in
            let draw = try #require(drawer.draw)
            let pixels = try draw(DrawnInitials.drawing(text, isBold: isBold))(DrawingSquare(pixels: side))
            return Canvas(side: side, bytes: Array(UnsafeBufferPointer(start: pixels.bytes, count: pixels.count)))
        }
    }
}

/// Initials drawn by the built worker, with the fonts of the system.
struct DrawnInitials {
    static let digest = InitialsDrawer.digest(of: FontSet())
    let workers: RenderWorkers

    init() throws {
        var options = RenderWorkers.Options(program: try BuiltProgram.path("tondo-render"))
        options.programs[.text] = try BuiltProgram.path("tondo-render-text")
        workers = RenderWorkers(options: options)
    }

    static func drawing(_ text: String, isBold: Bool = true, fonts: [UInt8] = digest) -> InitialsDrawing {
        InitialsDrawing(
            text: text, background: RGBA(red: 0, green: 0, blue: 0), foreground: RGBA(red: 255, green: 255, blue: 255),
            isBold: isBold, fonts: fonts)
    }

    /// PNGs, one for each style.
    func encode(
        _ bytes: [UInt8], _ styles: [Style], within limit: Duration = .seconds(60)
    ) throws -> [[UInt8]] {
        var pngs: [[UInt8]] = []
        let avatars = styles.indices.map { RenderRequest.Avatar(index: $0, keyword: "k", text: "\($0)") }
        try bytes.withUnsafeBytes { bytes in
            _ = try workers.draw(
                avatars, with: RenderSetup(styles: styles, limits: Limits()), of: .bytes(bytes), format: .initials,
                crop: nil,
                within: limit
            ) { png, _ in pngs.append(png) }
        }
        return pngs
    }

    func error(_ text: String, fonts: [UInt8] = digest) -> ImageError? {
        error(Self.drawing(text, fonts: fonts).encoded)
    }

    func error(_ bytes: [UInt8]) -> ImageError? {
        do { _ = try encode(bytes, [Style(size: 16)]) } catch { return (error as? RenderError)?.error }
        return nil
    }
}

/// What is not background.
struct Ink {
    var left = Int.max, top = Int.max, right = 0, bottom = 0
    /// Pixels that are mostly ink.
    var count = 0
    /// From the middle to the farthest corner of such a pixel.
    var reach = 0.0
    /// Pixels whose colour is not gray.
    var colored = 0

    init(_ canvas: Canvas) {
        self = canvas.bytes.withUnsafeBufferPointer { Ink($0, canvas.side) }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ side: Int) {
        for y in 0..<side {
            for x in 0..<side {
                let start = (y * side + x) * 4
                let (red, green, blue) = (bytes[start], bytes[start + 1], bytes[start + 2])
                let brightest = max(red, green, blue)
                guard brightest > 127 else { continue }
                (left, right) = (min(left, x), max(right, x + 1))
                (top, bottom) = (min(top, y), max(bottom, y + 1))
                count += 1
                if brightest - min(red, green, blue) > 40 { colored += 1 }
                let (dx, dy) = (Double(x) + 0.5 - Double(side) / 2, Double(y) + 0.5 - Double(side) / 2)
                reach = max(reach, (dx * dx + dy * dy).squareRoot() + 0.71)
            }
        }
    }
}
