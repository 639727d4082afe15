private import FuzzSupport
private import Glibc
private import TondoImage
private import TondoRender

// The messages between the service and the workers. The first byte names a valid message or none; the rest is edited
// into it, three bytes for each edit, or is the message.
exit(
    Fuzzing.run { bytes, count in
        let input = Array(UnsafeRawBufferPointer(start: bytes, count: count))
        guard let kind = input.first else { return 0 }
        let message = Messages.edited(Int(kind), input.dropFirst())
        readAsService(message)
        readAsWorker(message)
        return 0
    })

private enum Messages {
    static let text = (keyword: "k", value: "a b")

    static func edited(_ kind: Int, _ edits: ArraySlice<UInt8>) -> [UInt8] {
        guard valid.indices.contains(kind) else { return Array(edits) }
        Fuzzing.require(!valid[kind].isEmpty, "there is no message \(kind)")
        var (message, rest) = (valid[kind], edits)
        while rest.count >= 3 {
            let place = (Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])) % message.count
            message[place] = rest[rest.startIndex + 2]
            rest = rest.dropFirst(3)
        }
        return rest.count == 1 ? Array(message.dropLast(Int(rest[rest.startIndex]))) : message + rest
    }

    private static let valid: [[UInt8]] = {
        let ring = Style.Ring(width: 4, gap: 2.5, color: RGBA(red: 1, green: 2, blue: 3, alpha: 4))
        let styles = [Style(size: 96, scale: 2, state: .selected, ring: ring), Style(size: 8, background: .selection)]
        let request = RenderRequest(
            setup: RenderSetup(styles: styles, limits: Limits()),
            avatars: [.init(index: 1, keyword: "k", text: "a b"), .init(index: 0, keyword: "k", text: "c")],
            crop: CropRectangle(x: -5, y: 7, width: 100, height: 200), source: .descriptor(offset: 12, count: 99))
        var header = ImageHeader(format: .jpeg, width: 4_000, height: 3_000)
        header.sampling = [.init(identifier: 1, horizontal: 2, vertical: 2)]
        let crop = CropRecord(
            square: PixelRectangle(x: 900, y: 80, width: 640, height: 640), reason: .face, photo: (4_000, 3_000),
            faces: [])
        let ending = RenderEnding(
            photo: PhotoInfo(
                header: header, warnings: [.profileIgnored("no"), .cutShort, .damaged(count: 3)], crop: crop),
            steps: [.init(step: .decode, time: .microseconds(1_500))], held: 1 << 20)
        var picture = ImageHeader(format: .heic, width: 640, height: 480)
        picture.orientation = .right
        let heif = RenderEnding(photo: PhotoInfo(header: picture), steps: [], held: 0)
        let png = PNGEncoder.encode(pixels: [UInt8](repeating: 9, count: 256), width: 8, height: 8, text: [text])
        return [
            request.bytes, ending.bytes, RenderError(stage: .decode, error: .corrupt("why")).bytes,
            RenderError(stage: .limits, error: .overMemory(needed: 2, limit: 1)).bytes, png,
            RenderError(stage: .decode, error: .missingGlyph(0x41)).bytes, heif.bytes, webP(of: png),
        ]
    }()

    private static func webP(of photo: [UInt8]) -> [UInt8] {
        var (style, avatar) = (Style(size: 8), [] as [UInt8])
        style.format = .webp(quality: 80)
        photo.withUnsafeBytes { photo in
            _ = try? AvatarRenderer(styles: [style]).encode(Photo(photo), styles: [0], text: { _ in text }) {
                bytes, _ in
                avatar = bytes
            }
        }
        return avatar
    }
}

/// A worker can only draw what it accepts, and accepts each request in one form.
private func readAsWorker(_ message: [UInt8]) {
    guard let request = try? RenderRequest(message) else { return }
    Fuzzing.require(request.setup.styles.allSatisfy { $0.problem == nil }, "a style that cannot be drawn")
    for avatar in request.avatars {
        Fuzzing.require(request.setup.styles.indices.contains(avatar.index), "an avatar without a style")
        Fuzzing.require(PNGText.data(keyword: avatar.keyword, value: avatar.text) != nil, "a text of no PNG")
    }
    Fuzzing.require(request.bytes == message, "two forms of one request")
    guard let again = try? RenderRequest(message, last: request.setup) else { fatalError("refused the second time") }
    Fuzzing.require(again == request, "two readings of one request")
}

private func readAsService(_ message: [UInt8]) {
    if let ending = try? RenderEnding(message) {
        for warning in ending.photo.warnings { requirePrintable(warning.description) }
    }
    if let error = try? RenderError(message) { requirePrintable(error.description) }
    for format in [AvatarFormat.png, .webp(quality: 80)] {
        _ = message.withUnsafeBytes { format.isForm($0, side: 8, texts: [Messages.text]) }
    }
}

/// Words of a worker reach terminals and logs.
private func requirePrintable(_ text: String) {
    let isPrintable = text.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
    Fuzzing.require(isPrintable && text.unicodeScalars.count < 500, "words that are not printable")
}
