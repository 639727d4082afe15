@testable import TondoImage

/// What a scaled decode of a file comes to.
struct ScaledOutcome: Equatable {
    /// "draws" with its warnings, or the error's code.
    var summary: String
    /// R, G, B, 255 or C, M, Y, K.
    var pixels: [UInt8] = []

    /// Decodes with libjpeg alone.
    init(_ bytes: [UInt8], denominator: Int) {
        self.init { () throws(ImageError) in
            let (header, plan) = try Self.plan(bytes, denominator: denominator)
            return try bytes.withUnsafeBufferPointer { bytes throws(ImageError) in
                let bytes = UnsafeRawBufferPointer(bytes)
                return try Decoded.decode(
                    Photo(bytes), selection: ScanSelection(wholeFile: bytes), header: header, plan: plan,
                    limits: Limits())
            }
        }
    }

    /// Decodes the scaled coefficients, with the header of another file if wanted. Nil: they are not read, or there is
    /// not even a header.
    init?(scaling bytes: [UInt8], drawnAs other: [UInt8]? = nil, denominator: Int) {
        guard let (header, plan) = try? Self.plan(bytes, denominator: denominator),
            let coefficients = bytes.withUnsafeBytes({ ScaledCoefficients(bytes: $0, header: header, plan: plan) })
        else { return nil }
        let bytes = other ?? bytes
        self.init { () throws(ImageError) in
            try bytes.withUnsafeBufferPointer { bytes throws(ImageError) in
                try Decoded.decode(
                    UnsafeRawBufferPointer(bytes), coefficients: coefficients, header: header, plan: plan,
                    limits: Limits())
            }
        }
    }

    /// Decodes those scans with libjpeg that the picture needs.
    init(selecting bytes: [UInt8], denominator: Int) {
        self.init { () throws(ImageError) in
            let (header, plan) = try Self.plan(bytes, denominator: denominator)
            return try bytes.withUnsafeBufferPointer { bytes throws(ImageError) in
                let bytes = UnsafeRawBufferPointer(bytes)
                let selection = try ScanSelection(
                    bytes: bytes, header: header, denominator: denominator, limits: Limits())
                return try Decoded.decode(
                    Photo(bytes), selection: selection, header: header, plan: plan, limits: Limits())
            }
        }
    }

    /// Decodes the coefficients of a progressive file. Nil: they are not read, or there is not even a header.
    init?(progressive bytes: [UInt8], denominator: Int) {
        guard let (header, plan) = try? Self.plan(bytes, denominator: denominator) else { return nil }
        let coefficients = bytes.withUnsafeBytes { raw in
            let selection = try? ScanSelection(bytes: raw, header: header, denominator: denominator, limits: Limits())
            return selection.flatMap {
                ScaledCoefficients(progressive: raw, header: header, plan: plan, selection: $0)
            }
        }
        guard let coefficients else { return nil }
        self.init { () throws(ImageError) in
            try bytes.withUnsafeBufferPointer { bytes throws(ImageError) in
                try Decoded.decode(
                    UnsafeRawBufferPointer(bytes), coefficients: coefficients, header: header, plan: plan,
                    limits: Limits())
            }
        }
    }

    init(of decode: () throws(ImageError) -> Decoded) {
        do throws(ImageError) {
            let decoded = try decode()
            summary = "draws \(decoded.warnings)"
            pixels = Array(UnsafeBufferPointer(start: decoded.pixels.bytes, count: decoded.pixels.count))
        } catch {
            summary = error.code
        }
    }

    static func plan(
        _ bytes: [UInt8], denominator: Int
    ) throws(ImageError) -> (header: ImageHeader, plan: DecodePlan) {
        let header = try bytes.withUnsafeBufferPointer { bytes throws(ImageError) in
            try ImageHeader(probing: UnsafeRawBufferPointer(bytes))
        }
        guard header.format == .jpeg else { throw .unsupported("not a JPEG") }
        try Limits().check(header)
        var plan = DecodePlan(
            header: header, crop: nil, side: Double(min(header.width, header.height)) / Double(2 * denominator))
        // Pictures smaller than the scale are decoded whole, at the scale asked for.
        if plan.denominator != denominator {
            plan = DecodePlan(header: header, crop: nil, side: 1e9)
            plan.denominator = denominator
            plan.region = PixelRectangle(
                x: 0, y: 0, width: (header.width + denominator - 1) / denominator,
                height: (header.height + denominator - 1) / denominator)
        }
        try Limits().check(plan, of: header)
        return (header, plan)
    }

    /// Brightness of each pixel; nil where a channel is clipped.
    var luma: [Double?] {
        stride(from: 0, to: pixels.count, by: 4).map { start in
            let colors = pixels[start..<start + 3]
            guard colors.allSatisfy({ $0 > 0 && $0 < 255 }) else { return nil }
            return zip(colors, [0.299, 0.587, 0.114]).reduce(0) { $0 + Double($1.0) * $1.1 }
        }
    }
}
