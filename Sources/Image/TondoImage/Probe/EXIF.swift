/// EXIF's orientation tag (Exif 3.0 section 4.6.5, TIFF 6.0 section 2).
enum EXIF {
    /// `data`: the TIFF structure, perhaps behind the label of JPEG's segment, which writers of all formats keep. Only the first
    /// directory is read, each entry once, so looping directories cost nothing. Invalid data give nil: no transformation.
    static func orientation(_ data: UnsafeRawBufferPointer) -> Orientation? {
        // "Exif", a zero, and a byte that means nothing.
        let tiff = data.has("Exif\0") ? UnsafeRawBufferPointer(rebasing: data.dropFirst(6)) : data
        let isLittle = tiff.has("II")
        guard isLittle || tiff.has("MM") else { return nil }
        func number(at offset: Int, bytes: Int) -> Int? {
            guard offset >= 0, offset + bytes <= tiff.count else { return nil }
            return (0..<bytes).reduce(0) { value, i in
                value << 8 | Int(tiff[offset + (isLittle ? bytes - 1 - i : i)])
            }
        }
        guard number(at: 2, bytes: 2) == 42, let directory = number(at: 4, bytes: 4),
            let entries = number(at: directory, bytes: 2)
        else { return nil }
        for entry in 0..<entries {
            let offset = directory + 2 + entry * 12
            guard let tag = number(at: offset, bytes: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            return orientation(type: number(at: offset + 2, bytes: 2)) { number(at: offset + 8, bytes: $0) }
        }
        return nil
    }

    /// Writers disagree on the tag's type: BYTE, SHORT (as specified) and LONG occur.
    private static func orientation(type: Int?, value: (_ bytes: Int) -> Int?) -> Orientation? {
        let width =
            switch type {
            case 1: 1
            case 3: 2
            case 4: 4
            default: 0
            }
        guard width > 0, let raw = value(width) else { return nil }
        return Orientation(rawValue: raw)
    }
}
