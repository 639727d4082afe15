package import TondoImage

/// The styles and limits of many requests, written once; or the bounds of photos that are not drawn in a style, but as books
/// store them.
package struct RenderSetup: Sendable, Equatable {
    /// `RenderRequest.Avatar.index` is an index of these.
    package let styles: [Style]
    package let limits: Limits
    /// The whole photo is wanted as a book stores it, and no style: as the avatar 0, without its text.
    package let fit: StorablePhoto.Bounds?
    let bytes: [UInt8]

    /// All sizes and scales in both states, and as many again with other rings or backgrounds.
    static let mostStyles = 2 * 2 * Style.sizes.count * Style.scales.count
    /// Bytes.
    static let longest = 128 * mostStyles

    /// Encodes them once, for all requests with this setup.
    package init(styles: [Style], limits: Limits) { self.init(styles: styles, limits: limits, fit: nil) }

    /// For photos as books store them.
    package init(fit: StorablePhoto.Bounds, limits: Limits) { self.init(styles: [], limits: limits, fit: fit) }

    private init(styles: [Style], limits: Limits, fit: StorablePhoto.Bounds?) {
        self.styles = styles
        self.limits = limits
        self.fit = fit
        var writer = WireWriter()
        limits.write(to: &writer)
        writer.put(styles) { $1.write(to: &$0) }
        writer.put(fit) { writer, bounds in
            writer.put(bounds.maxSide)
            writer.put(bounds.maxBytes)
        }
        bytes = writer.bytes
    }

    /// The avatars that can be asked for.
    var indices: Range<Int> { fit == nil ? styles.indices : 0..<1 }

    init(_ bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes)
        limits = try Limits(from: &reader)
        styles = try reader.list(limit: Self.mostStyles) { reader throws(WireError) in try Style(from: &reader) }
        fit = try reader.optional { reader throws(WireError) in
            StorablePhoto.Bounds(
                maxSide: try reader.number(in: StorablePhoto.Bounds.sides),
                maxBytes: try reader.number(in: StorablePhoto.Bounds.sizes))
        }
        try reader.end()
        self.bytes = bytes
    }
}

/// What a worker is to draw: some styles of one photo.
package struct RenderRequest: Sendable, Equatable {
    /// One style to draw, and the text entry that its file carries.
    package struct Avatar: Sendable, Equatable {
        /// The index of the style among those of the setup.
        package var index: Int
        /// The name of that entry: 79 bytes of Latin-1 at most (PNG third edition 11.3.3.2).
        package var keyword: String
        /// The text that the avatar carries.
        package var text: String

        package init(index: Int, keyword: String, text: String) {
            self.index = index
            self.keyword = keyword
            self.text = text
        }
    }

    /// Where the photo's bytes are.
    package enum Source: Sendable, Equatable {
        /// They follow the request.
        case inBand(count: Int)
        /// A part of the file whose descriptor was passed along.
        case descriptor(offset: Int, count: Int)

        var count: Int {
            switch self {
            case .inBand(let count), .descriptor(_, let count): count
            }
        }
    }

    package var setup: RenderSetup
    /// The worker draws and sends them in this order.
    package var avatars: [Avatar]
    /// In the oriented picture; nil: all of it is shown.
    package var crop: CropRectangle?
    package var source: Source

    package init(setup: RenderSetup, avatars: [Avatar], crop: CropRectangle?, source: Source) {
        self.setup = setup
        self.avatars = avatars
        self.crop = crop
        self.source = source
    }

    /// Bytes of a request without its photo.
    static let longest = RenderSetup.longest + RenderSetup.mostStyles * 2_048
    private static let mostBytes = 1 << 40

    /// The body of a frame of the kind `request`, without the photo.
    package var bytes: [UInt8] {
        var writer = WireWriter(capacity: setup.bytes.count + 512 * avatars.count + 64)
        writer.put(setup.bytes)
        writer.put(avatars) { writer, avatar in
            writer.put(avatar.index)
            writer.put(avatar.keyword)
            writer.put(avatar.text)
        }
        writer.put(crop) { $1.write(to: &$0) }
        if case .descriptor(let offset, _) = source { writer.put(offset) } else { writer.put(-1) }
        writer.put(source.count)
        return writer.bytes
    }

    /// `last`: the setup of the request before, which is most often the same.
    package init(_ bytes: [UInt8], last: RenderSetup? = nil) throws(WireError) {
        var reader = WireReader(bytes)
        let setupBytes = try reader.part(limit: RenderSetup.longest)
        if let last, last.bytes == setupBytes { setup = last } else { setup = try RenderSetup(setupBytes) }
        let indices = setup.indices
        avatars = try reader.list(limit: RenderSetup.mostStyles) { reader throws(WireError) in
            guard let last = indices.last else { throw WireError("an avatar without a style") }
            let avatar = Avatar(
                index: try reader.number(in: 0...last), keyword: try reader.text(limit: 79),
                text: try reader.text(limit: 1_024))
            // The encoders take a valid text for granted, and would end the process.
            guard PNGText.data(keyword: avatar.keyword, value: avatar.text) != nil else {
                throw WireError("a text that no avatar can carry")
            }
            return avatar
        }
        crop = try reader.optional { reader throws(WireError) in try CropRectangle(from: &reader) }
        let offset = try reader.number(in: -1...Self.mostBytes)
        let count = try reader.number(in: 0...Self.mostBytes)
        source = offset < 0 ? .inBand(count: count) : .descriptor(offset: offset, count: count)
        try reader.end()
    }
}
