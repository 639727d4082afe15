extension Pixels {
    /// Converts each value v to 255 - v.
    func invert() {
        for i in 0..<count { bytes[i] = ~bytes[i] }
    }

    /// B, G, R, A becomes R, G, B, A.
    func swapRedAndBlue() {
        for i in stride(from: 0, to: count, by: 4) { (bytes[i], bytes[i + 2]) = (bytes[i + 2], bytes[i]) }
    }

    /// Ink amounts become R, G, B, 255 without a profile: R = (255 - C)(255 - K) / 255, rounded.
    func convertCMYKToRGB() {
        for i in stride(from: 0, to: count, by: 4) {
            let paper = 255 - Int(bytes[i + 3])
            for c in 0..<3 { bytes[i + c] = UInt8(((255 - Int(bytes[i + c])) * paper + 127) / 255) }
            bytes[i + 3] = 255
        }
        layout = .opaque
    }
}
