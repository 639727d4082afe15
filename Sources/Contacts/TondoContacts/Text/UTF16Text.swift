/// UTF-16 text: conversion to UTF-8, and of an offset there back to one in the file (RFC 2781).
enum UTF16Text {
    /// Half a pair becomes U+FFFD; half a unit at the end is dropped.
    static func utf8(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2)
        let units = units(bytes, isBigEndian: isBigEndian).makeIterator()
        _ = transcode(units, from: UTF16.self, to: UTF8.self, stoppingOnError: false) { text.append($0) }
        return text
    }

    /// The position in `bytes` of the character that `utf8` puts at `offset`.
    static func offset(ofUTF8 offset: Int, in bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> Int {
        var (unit, written) = (0, 0)
        let all = units(bytes, isBigEndian: isBigEndian)
        while unit < all.count, written < offset {
            let value = all[unit]
            let isPair = UTF16.isLeadSurrogate(value) && unit + 1 < all.count && UTF16.isTrailSurrogate(all[unit + 1])
            written += isPair ? 4 : value < 0x80 ? 1 : value < 0x800 ? 2 : 3
            unit += isPair ? 2 : 1
        }
        return 2 * unit
    }

    /// One byte per unit; other characters than ASCII become 0xFF.
    static func narrowed(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> [UInt8] {
        units(bytes, isBigEndian: isBigEndian).map { $0 < 0x80 ? UInt8($0) : 0xFF }
    }

    static func units(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> LazyMapCollection<Range<Int>, UInt16> {
        (0..<bytes.count / 2).lazy.map { index in
            let unit = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
            return isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit)
        }
    }
}
