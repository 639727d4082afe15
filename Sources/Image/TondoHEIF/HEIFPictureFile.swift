internal import CHEIF
internal import TondoImage

/// Passes pictures of one photo to libheif, each as a file of its own.
struct HEIFPictureFile {
    private let bytes: UnsafeRawBufferPointer
    private let format: ImageHeader.Format
    private let limits: Limits

    init(bytes: UnsafeRawBufferPointer, format: ImageHeader.Format, limits: Limits) {
        self.bytes = bytes
        self.format = format
        self.limits = limits
    }

    /// The number of places that the decoder repaired. `body` reads the file and writes the result.
    func draw(
        _ picture: HEIFPicture, body: (UnsafePointer<cheif_file>, UnsafeMutablePointer<cheif_result>) -> cheif_status
    ) throws(ImageError) -> Int {
        // The header keeps places beyond the end of a cut file; a slice there would end the process.
        guard bytes.count >= picture.end else { throw .truncated("the image data end too early") }
        let content = try picture.file(of: bytes)
        var file = cheif_file()
        file.coded_width = UInt32(picture.width)
        file.coded_height = UInt32(picture.height)
        file.longest_side = UInt32(clamping: min(limits.maxSide, 1 << 20))
        file.is_gray = picture.isGray ? 1 : 0
        file.is_full_range = picture.isFullRange ? 1 : 0
        var result = cheif_result()
        let status = content.header.withUnsafeBytes { header in
            parts(of: content, header: header).withUnsafeBufferPointer { parts in
                file.parts = parts.baseAddress
                file.part_count = parts.count
                return body(&file, &result)
            }
        }
        try check(status, result: result)
        return Int(result.warnings)
    }

    /// The header and each part of the photo's file, which are borrowed.
    private func parts(of content: HEIFPicture.File, header: UnsafeRawBufferPointer) -> [cheif_part] {
        var (parts, start) = ([cheif_part](), 0)
        let data = content.parts.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
        for part in [header] + data {
            let address = part.baseAddress?.assumingMemoryBound(to: UInt8.self)
            parts.append(cheif_part(bytes: address, count: part.count, start: start))
            start += part.count
        }
        return parts
    }

    private func check(_ status: cheif_status, result: cheif_result) throws(ImageError) {
        let message = withUnsafeBytes(of: result.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch status {
        case CHEIF_OK: return
        case CHEIF_TRUNCATED: throw .truncated("the image data end too early")
        case CHEIF_OUT_OF_MEMORY: throw .outOfMemory
        case CHEIF_UNSUPPORTED: throw .unsupported("\(format.name) image (\(message))")
        default: throw .corrupt(message.isEmpty ? "damaged image data" : message)
        }
    }
}
