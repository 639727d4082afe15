/// Checks an ICC profile before it is passed to Little CMS, which follows its tags to any offset.
enum ICCProfile {
    /// Bytes; a CMYK press profile has one or two million.
    private static let longest = 4_000_000
    private static let mostTags = 100
    /// Processing elements of one `mpet` tag. They may all be the same few bytes, so a short profile can demand any
    /// number of steps per pixel.
    private static let mostElements = 16
    /// "mpet" (ICC.1:2022 section 10.16).
    private static let multiProcessElements = 0x6D70_6574

    /// Copied, if it is not too large: that is seen before.
    static func embedded(_ profile: UnsafeRawBufferPointer) -> EmbeddedProfile {
        profile.count <= longest ? .icc(Array(profile)) : .broken(tooLarge)
    }

    private static let tooLarge = "it is larger than \(longest / 1_000_000) MB"

    /// Why the profile must not be used, or nil.
    static func problem(_ profile: [UInt8]) -> String? {
        guard profile.count <= longest else { return tooLarge }
        return profile.withUnsafeBytes { bytes in
            func number(_ offset: Int) -> Int? {
                var reader = ByteReader(bytes)
                guard offset <= bytes.count else { return nil }
                reader.offset = offset
                return reader.bigEndian32()
            }
            // The tag table follows the header of 128 bytes (section 7.3).
            guard let count = number(128), count <= mostTags else { return "its tag table is invalid" }
            for tag in 0..<count {
                guard let start = number(132 + tag * 12 + 4) else { return "its tag table is truncated" }
                guard number(start) == multiProcessElements else { continue }
                guard let elements = number(start + 12), elements <= mostElements else {
                    return "it has too many processing steps"
                }
            }
            return nil
        }
    }
}
