internal import CFuzzer
internal import Glibc
package import TondoImage

/// What every fuzz target does with its bytes, and what must hold whatever the bytes are.
package enum Fuzzing {
    /// Hands the process over to libFuzzer; returns its exit status.
    package static func run(_ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt) -> CInt {
        var (count, arguments) = (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        return withUnsafeMutablePointer(to: &arguments) { pointer in
            pointer.withMemoryRebound(
                to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1
            ) {
                LLVMFuzzerRunDriver(&count, $0, callback)
            }
        }
    }

    /// Probes and draws a photo twice, whole and cropped, and checks what comes out.
    package static func draw(_ bytes: UnsafeRawBufferPointer) {
        let header = try? ImageHeader(probing: bytes)
        check(bytes, crop: nil, header: header)
        if let header { check(bytes, crop: crop(of: bytes, in: header), header: header) }
    }

    /// The photo can be drawn.
    package static func draws(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .success = outcome(bytes, crop: nil) { true } else { false }
    }

    package static let styles: [Style] = {
        let ring = Style.Ring(width: 2, gap: 1.5, color: RGBA(red: 10, green: 132, blue: 255, alpha: 200))
        return [
            Style(size: 16, state: .selected, ring: ring),
            Style(size: 40, background: RGBA(red: 255, green: 255, blue: 255, alpha: 128)),
        ]
    }()

    /// One for all inputs: what it remembers from one photo must not change the next.
    package static let renderer = AvatarRenderer(styles: styles, limits: limits)

    /// For a picture so small that photos are decoded at 1/4 and 1/8.
    private static let smallRenderer = AvatarRenderer(styles: [Style(size: 2)], limits: limits)

    /// Draws the same pictures from data read in lanes, which begin close to each other, and with libjpeg's samples.
    private static let otherRenderer: AvatarRenderer = {
        var limits = Fuzzing.limits
        limits.lanesFrom = 0
        limits.laneSpacing = 24
        limits.laneBlockBytes = 0
        limits.samplesFrom = .max
        return AvatarRenderer(styles: [Style(size: 2)], limits: limits)
    }()

    /// Low enough for hundreds of inputs a second.
    package static let limits: Limits = {
        var limits = Limits()
        limits.maxPixels = 1_000_000
        limits.maxMemory = 32_000_000
        limits.maxBlockVisits = 200_000
        limits.maxScans = 100
        limits.maxChunk = 1_000_000
        limits.scaledFrom = 0
        return limits
    }()

    private static func check(_ bytes: UnsafeRawBufferPointer, crop: CropRectangle?, header: ImageHeader?) {
        let first = outcome(bytes, crop: crop)
        require(first == outcome(bytes, crop: crop), "drawing twice gave two results")
        let small = outcome(bytes, crop: crop, by: smallRenderer)
        require(small == outcome(bytes, crop: crop, by: smallRenderer), "drawing small twice gave two results")
        require(small == outcome(bytes, crop: crop, by: otherRenderer), "another way gave another result")
        guard case .success(let drawing) = first else { return }
        require(header == drawing.header, "two probes gave two headers")
        require(drawing.canvases.count == styles.count, "a style without a canvas")
        for (style, canvas) in zip(styles, drawing.canvases) {
            require(canvas.side == style.side, "a canvas of another size")
            require(
                canvas.bytes.count == style.side * style.side * 4, "a canvas with bytes too many or too few")
            requireClean(canvas)
        }
        if crop == nil { requireReadable(drawing.canvases[0]) }
    }

    /// What is encoded can be read again.
    private static func requireReadable(_ canvas: Canvas) {
        let file = PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side)
        file.withUnsafeBytes { bytes in
            guard case .success(let drawing) = outcome(bytes, crop: nil) else {
                fatalError("an unreadable PNG")
            }
            require(drawing.warnings.isEmpty && drawing.header.width == canvas.side, "a damaged PNG")
        }
    }

    private static func requireClean(_ canvas: Canvas) {
        for i in stride(from: 0, to: canvas.bytes.count, by: 4) where canvas.bytes[i + 3] == 0 {
            require(canvas.bytes[i..<i + 3].allSatisfy { $0 == 0 }, "colour where alpha is 0")
        }
        require(canvas.bytes[3] == 0, "a corner that is not transparent")
    }

    private struct Drawing: Equatable {
        var canvases: [Canvas]
        var header: ImageHeader
        var warnings: [Warning]

        static func == (a: Drawing, b: Drawing) -> Bool {
            a.header == b.header && a.warnings == b.warnings
                && a.canvases.elementsEqual(b.canvases) { $0.side == $1.side && $0.bytes == $1.bytes }
        }
    }

    private static func outcome(
        _ bytes: UnsafeRawBufferPointer, crop: CropRectangle?, by renderer: AvatarRenderer = renderer
    ) -> Result<Drawing, RenderError> {
        do throws(RenderError) {
            let drawing = try renderer.draw(Photo(bytes, crop: crop))
            return .success(
                Drawing(canvases: drawing.canvases, header: drawing.header, warnings: drawing.warnings))
        } catch {
            return .failure(error)
        }
    }

    /// A rectangle chosen by the bytes, which may stick out of the picture or miss it.
    private static func crop(of bytes: UnsafeRawBufferPointer, in header: ImageHeader) -> CropRectangle {
        var state = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        func number(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(limit, 1)
        }
        let (width, height) = header.orientedSize
        return CropRectangle(
            x: number(below: width + width / 4) - width / 4,
            y: number(below: height + height / 4) - height / 4,
            width: number(below: width + 2), height: number(below: height + 2))
    }

    package static func require(_ condition: Bool, _ what: @autoclosure () -> some StringProtocol) {
        if !condition { fatalError(String(what())) }
    }
}
