/// A JPEG's colour profile, divided into APP2 segments that are numbered from 1 (ICC.1:2022 annex B.4).
struct ICCSegments {
    private var parts: [Int: [UInt8]] = [:]
    private var declared: Int?
    private var problem: String?

    /// `payload`: the segment after its "ICC_PROFILE\0" label.
    mutating func add(_ payload: UnsafeRawBufferPointer) {
        guard payload.count > 2 else {
            problem = "an empty segment"
            return
        }
        let (number, count) = (Int(payload[0]), Int(payload[1]))
        guard number >= 1, number <= count, declared == nil || declared == count else {
            problem = "segments are misnumbered"
            return
        }
        // Editors leave the old copy of a profile behind the new one; only a copy that differs makes it doubtful.
        guard parts[number] == nil || parts[number] == Array(payload[2...]) else {
            problem = "segment \(number) comes twice"
            return
        }
        declared = count
        parts[number] = Array(payload[2...])
    }

    var profile: EmbeddedProfile {
        if let problem { return .broken(problem) }
        guard let declared else { return .none }
        guard parts.count == declared else { return .broken("\(declared - parts.count) segments are missing") }
        return .icc((1...declared).flatMap { parts[$0] ?? [] })
    }
}
