private import FuzzSupport
private import Glibc
private import TondoImage
private import TondoRender

// HEIC and AVIF: the header in this process, which is instrumented, and the picture by the program `tondo-render-heif`, whose
// path is in TONDO_RENDER_HEIF. libheif may fail in any way that costs one photo; but a call that the filter refuses is a
// fault of the program, and the next photo must be drawn.
exit(
    Fuzzing.run { bytes, count in
        HEIF.draw(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })

private enum HEIF {
    static let workers: RenderWorkers = {
        guard let program = getenv("TONDO_RENDER_HEIF") else { fatalError("TONDO_RENDER_HEIF is not set") }
        var options = RenderWorkers.Options(program: String(cString: program), limits: Fuzzing.limits)
        options.programs[.heif] = String(cString: program)
        return RenderWorkers(options)
    }()
    static let setup = RenderSetup(styles: Fuzzing.styles, limits: Fuzzing.limits)
    static let avatars = Fuzzing.styles.indices.map {
        RenderRequest.Avatar(index: $0, keyword: "k", text: "style \($0)")
    }

    static func draw(_ photo: UnsafeRawBufferPointer) {
        // Refuses the picture in this process, after its header.
        Fuzzing.draw(photo)
        guard let header = try? ImageHeader(probing: photo), header.format == .heic || header.format == .avif else {
            return
        }
        Fuzzing.require(
            header.geometry.packed.map { PhotoGeometry(packed: $0) == header.geometry } != false,
            "a geometry that changes when it is packed")
        let first = outcome(photo, header.format)
        if case .failure(let error) = first {
            Fuzzing.require(!error.description.contains("Bad system call"), "\(error)")
            if case .decoderCrashed = error.error { return }
            if case .timedOut = error.error { return }
        }
        Fuzzing.require(first == outcome(photo, header.format), "drawing twice gave two results")
    }

    static func outcome(
        _ photo: UnsafeRawBufferPointer, _ format: ImageHeader.Format
    ) -> Result<[[UInt8]], RenderError> {
        var pngs: [[UInt8]] = []
        do {
            _ = try workers.draw(
                avatars, setup, of: .bytes(photo), format: format, crop: nil, within: .seconds(8)
            ) { png, _ in pngs.append(png) }
            return .success(pngs)
        } catch let error as RenderError { return .failure(error) } catch { fatalError("\(error)") }
    }
}
