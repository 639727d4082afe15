private import FuzzSupport
private import Glibc
private import TondoImage
private import TondoRender

// HEIC and AVIF: the header in this process, which is instrumented, and the picture by the program `tondo-render-heif`. libheif
// may fail in any way that costs one photo; but a call that the filter refuses is a fault of the program, and the next photo
// must be drawn.
exit(
    Fuzzing.run { bytes, count in
        HEIF.draw(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })

private enum HEIF {
    static let workers = FuzzedWorkers(.heif)

    static func draw(_ photo: UnsafeRawBufferPointer) {
        // Refuses the picture in this process, after its header.
        Fuzzing.draw(photo)
        guard let header = try? ImageHeader(probing: photo), header.format == .heic || header.format == .avif else {
            return
        }
        Fuzzing.require(
            header.geometry.packed.map { PhotoGeometry(packed: $0) == header.geometry } != false,
            "a geometry that changes when it is packed")
        let first = workers.draw(photo, as: header.format)
        if let error = first.error {
            Fuzzing.require(!error.description.contains("Bad system call"), "\(error)")
            if case .decoderCrashed = error.error { return }
            if case .timedOut = error.error { return }
        }
        Fuzzing.require(first == workers.draw(photo, as: header.format), "drawing twice gave two results")
    }
}
