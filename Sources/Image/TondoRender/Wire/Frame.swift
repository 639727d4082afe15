/// What precedes each message: magic number, kind, the number of the request, and the length of the body.
struct Frame: Equatable {
    enum Kind: UInt32 {
        /// To the worker: draw. A photo that is sent along follows the body.
        case request = 1
        /// From the worker: it is confined, or why it is not.
        case ready, refused
        /// One encoded avatar; the end of a request with its header, or with its error.
        case avatar, done, failed
    }

    static let size = 24
    /// Another one for every change of the messages, and of what is drawn for the same request: after an installation, a
    /// program that still runs starts new workers.
    private static let magic: UInt32 = 0x5452_4436

    var kind: Kind
    /// The number of the request; 0 before the first.
    var request: UInt64
    /// Bytes after the frame.
    var length: Int

    var bytes: [UInt8] {
        var writer = WireWriter()
        writer.put(Self.magic)
        writer.put(kind.rawValue)
        writer.put(request)
        writer.put(length)
        return writer.bytes
    }

    init(kind: Kind, request: UInt64, length: Int) {
        self.kind = kind
        self.request = request
        self.length = length
    }

    /// `limit`: of the length.
    init(_ bytes: [UInt8], limit: Int) throws(WireError) {
        var reader = WireReader(bytes)
        guard try reader.number(UInt32.self) == Self.magic else { throw WireError("not a frame") }
        guard let kind = Kind(rawValue: try reader.number()) else { throw WireError("an unknown kind of frame") }
        self.kind = kind
        request = try reader.number()
        length = try reader.number(in: 0...limit)
        try reader.end()
    }
}
