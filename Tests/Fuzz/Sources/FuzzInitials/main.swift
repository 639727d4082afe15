private import FuzzSupport
private import Glibc
private import TondoDrawText
private import TondoImage
private import TondoRender

// The form of drawings of initials, and any text drawn with the fonts of the system: in this process, where the code of CText is
// instrumented, and by the program `tondo-render-text`, whose path is in TONDO_RENDER_TEXT, which must never end by itself.
exit(
    Fuzzing.run { bytes, count in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
        if let drawing = InitialsDrawing(parsing: bytes) {
            Fuzzing.require(drawing.encoded.elementsEqual(bytes), "a drawing with two forms")
        }
        Initials.draw(bytes)
        return 0
    })

private enum Initials {
    static let fonts = FontSet()
    static let digest = InitialsDrawer.digest(of: fonts)
    static let renderer = AvatarRenderer(
        styles: Fuzzing.styles, limits: Fuzzing.limits, linked: InitialsDrawer.prepare(fonts))
    static let workers: RenderWorkers = {
        guard let program = getenv("TONDO_RENDER_TEXT") else { fatalError("TONDO_RENDER_TEXT is not set") }
        var options = RenderWorkers.Options(program: String(cString: program), limits: Fuzzing.limits)
        options.programs[.text] = String(cString: program)
        return RenderWorkers(options)
    }()
    static let setup = RenderSetup(styles: Fuzzing.styles, limits: Fuzzing.limits)
    static let avatars = Fuzzing.styles.indices.map {
        RenderRequest.Avatar(index: $0, keyword: "k", text: "style \($0)")
    }

    /// The first byte is the weight, the others are the text.
    static func draw(_ bytes: UnsafeRawBufferPointer) {
        let drawing = InitialsDrawing(
            text: String(decoding: bytes.dropFirst(), as: UTF8.self), background: .selection,
            foreground: RGBA(red: 255, green: 255, blue: 255), isBold: bytes.first.map { $0 % 2 == 1 } ?? false,
            fonts: digest)
        let encoded = drawing.encoded
        encoded.withUnsafeBytes { photo in
            Fuzzing.require(
                InitialsDrawing(parsing: photo) == drawing, "a drawing is read otherwise than it was written")
            let here = outcome { body in
                _ = try renderer.encode(
                    Photo(photo), styles: Array(avatars.indices), text: { (keyword: "k", value: avatars[$0].text) },
                    body: body)
            }
            let there = outcome { body in
                _ = try workers.draw(
                    avatars, setup, of: .bytes(photo), format: .initials, crop: nil, within: .seconds(8), body: body)
            }
            Fuzzing.require(here == there, "the worker and this process disagree: \(here), \(there)")
        }
        let counters = workers.counters
        Fuzzing.require(counters.crashed + counters.killed + counters.late == 0, "a worker ended: \(counters)")
    }

    static func outcome(_ draw: (([UInt8], Int) throws -> Void) throws -> Void) -> Result<[[UInt8]], RenderError> {
        var pngs: [[UInt8]] = []
        do {
            try draw { png, _ in pngs.append(png) }
            return .success(pngs)
        } catch let error as RenderError { return .failure(error) } catch { fatalError("\(error)") }
    }
}
