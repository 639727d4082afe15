internal import Glibc
internal import libdeflate

/// The file format of an entry: how its file is named, and where its trailer is.
package enum EntryFormat: String, CaseIterable, Sendable {
    // The order in which the files of a key are looked for: most entries are PNGs.
    case png, webp

    /// The format that a recipe names. A recipe without the word means PNG: it was written before there was a choice.
    package init(_ recipe: Recipe) { self = recipe["format"].flatMap(EntryFormat.init) ?? .png }

    /// By the first bytes of a file.
    init?(_ file: UnsafeRawBufferPointer) {
        if file.count >= Self.fileHeader, file.holds(Self.signature, at: 0) {
            self = .png
        } else if file.count >= Self.fileHeader, file.holds(Self.riff, at: 0), file.holds(Self.form, at: 8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The end of a file's name, with the dot.
    var suffix: String { "." + rawValue }

    /// IEND of a PNG with its size and CRC.
    static let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let riff: [UInt8] = Array("RIFF".utf8)
    private static let form: [UInt8] = Array("WEBP".utf8)
    /// Bytes of a WebP before its first chunk.
    private static let fileHeader = 12

    /// Bytes after an avatar's last chunk: a PNG needs an end, a WebP has none.
    private var end: [UInt8] { self == .png ? Self.end : [] }

    /// Bytes between the checksum and the end of the file.
    private var afterChecksum: Int { self == .png ? 4 + Self.end.count : 0 }
}

/// The trailer's chunk.
extension EntryFormat {
    private static let type: [UInt8] = Array("seAL".utf8)
    static let checksumSize = 16

    /// The parts of an entry's file. The checksum is that of all bytes before it.
    struct Layout {
        /// Bytes of the avatar without its end.
        var body: Int
        /// The trailer's fields.
        var text: Range<Int>
        var checksum: Int
    }

    /// The file of an avatar with these fields; nil if `avatar` is not whole. `checksum`: of the bytes before it.
    func file(
        appending text: [UInt8], to avatar: UnsafeRawBufferPointer,
        checksum: (UnsafeRawBufferPointer) -> (UInt64, UInt64)
    ) -> [UInt8]? {
        guard isWhole(avatar) else { return nil }
        // The chunks of a WebP have an even length.
        let padding = self == .webp ? text.count & 1 : 0
        let size = text.count + padding + 4 + Self.checksumSize
        let body = avatar.count - end.count
        return [UInt8](unsafeUninitializedCapacity: body + 8 + size + afterChecksum) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: avatar[..<body]))
            if self == .webp { target.setSize(body + 8 + size - 8) }
            count = body
            func put(_ bytes: UnsafeRawBufferPointer) {
                UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyMemory(from: bytes)
                count += bytes.count
            }
            func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }
            func put(_ number: UInt32) { withUnsafeBytes(of: number) { put($0) } }
            if self == .png { put(UInt32(size).bigEndian) }
            put(Self.type)
            if self == .webp { put(UInt32(size).littleEndian) }
            put(text + [UInt8](repeating: 0, count: padding))
            put(UInt32(text.count).bigEndian)
            let sum = checksum(UnsafeRawBufferPointer(rebasing: target[..<count]))
            withUnsafeBytes(of: sum) { put($0) }
            guard self == .png else { return }
            put(Self.crc(UnsafeRawBufferPointer(rebasing: target[(body + 4)..<count])).bigEndian)
            put(Self.end)
        }
    }

    private func isWhole(_ avatar: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .png: avatar.count > Self.signature.count + end.count && avatar.holds(end, at: avatar.count - end.count)
        case .webp: avatar.count > Self.fileHeader && avatar.count & 1 == 0 && avatar.riffSize == avatar.count - 8
        }
    }

    /// Where the trailer of a file is, found from the file's end.
    func layout(_ file: UnsafeRawBufferPointer) throws(EntryTrailer.Damage) -> Layout {
        let tail = 4 + Self.checksumSize + afterChecksum
        guard file.count >= Self.fileHeader + 8 + tail else { throw .short }
        guard file.holds(end, at: file.count - end.count) else { throw .noTrailer }
        let offset = file.count - tail
        let count = Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        let padding = self == .webp ? count & 1 : 0
        let body = offset - count - padding - 8
        guard body >= Self.fileHeader else { throw .noTrailer }
        let (type, size) =
            self == .png
            ? (body + 4, UInt32(bigEndian: file.loadUnaligned(fromByteOffset: body, as: UInt32.self)))
            : (body, UInt32(littleEndian: file.loadUnaligned(fromByteOffset: body + 4, as: UInt32.self)))
        guard Int(size) == count + padding + 4 + Self.checksumSize, file.holds(Self.type, at: type) else {
            throw .noTrailer
        }
        return Layout(body: body, text: (body + 8)..<(body + 8 + count), checksum: offset + 4)
    }

    /// Whether what only other programs check is right: the CRC of a PNG's chunk, the size in a WebP's header.
    func isIntact(_ file: UnsafeRawBufferPointer, layout: Layout) -> Bool {
        switch self {
        case .png:
            let end = layout.checksum + Self.checksumSize
            let crc = file.loadUnaligned(fromByteOffset: end, as: UInt32.self)
            return UInt32(bigEndian: crc)
                == Self.crc(UnsafeRawBufferPointer(rebasing: file[(layout.body + 4)..<end]))
        case .webp: return file.riffSize == file.count - 8
        }
    }

    private static func crc(_ chunk: UnsafeRawBufferPointer) -> UInt32 {
        libdeflate_crc32(0, chunk.baseAddress, chunk.count)
    }

    /// Turns the bytes of a checked file into those of its avatar.
    func removeTrailer(from file: inout [UInt8], body: Int) {
        file.replaceSubrange(body..., with: end)
        if self == .webp { file.withUnsafeMutableBytes { $0.setSize(body - 8) } }
    }
}

extension UnsafeRawBufferPointer {
    /// The size in a RIFF header, which has four bytes at least.
    fileprivate var riffSize: Int { Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: 4, as: UInt32.self))) }

    /// Whether `bytes` are at `offset`, with enough room for them.
    func holds(_ bytes: [UInt8], at offset: Int) -> Bool {
        if bytes.isEmpty { return true }
        let found = UnsafeRawBufferPointer(rebasing: self[offset..<(offset + bytes.count)])
        return bytes.withUnsafeBytes { memcmp(found.baseAddress!, $0.baseAddress!, $0.count) == 0 }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// In a RIFF header.
    fileprivate func setSize(_ size: Int) {
        storeBytes(of: UInt32(size).littleEndian, toByteOffset: 4, as: UInt32.self)
    }
}
