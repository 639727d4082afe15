import TondoHEIF
import TondoRender

// The sandboxed worker for HEIC and AVIF: `tondo-render-heif BYTES [MODEL]`, with a socket on descriptor 3. Started by Tondo,
// never by hand. A program of its own, because libheif costs three milliseconds and four megabytes at each start.
guard (2...3).contains(CommandLine.arguments.count), let memory = Int(CommandLine.arguments[1]), memory > 0 else {
    print("tondo-render-heif draws avatars of HEIC and AVIF photos for tondo, which starts it.")
    exit(64)
}
// Refused: the process would be ended with the first photo.
guard HEIFDecoder.prepare() else { exit(70) }
let faceModel = CommandLine.arguments.dropFirst(2).first
exit(RenderWorker.run(memory: memory, faceModel: faceModel, linked: HEIFDecoder.decoder))

#if canImport(Glibc)
    private import Glibc
#endif
