/// Weighted sums of rows of bytes, column by column: the inner loop of the resampler.
enum VerticalFilter {
    /// 2^23 as a float: adding it to a small integer's bits is the conversion to float that stays in vector registers
    /// (the compiler's own is one call a lane).
    private static let bias: UInt32 = 0x4B00_0000
    private static let biasValue = Float(bitPattern: bias)

    /// `top`: first byte of the first row; `stride`: bytes a row; one weight a row; `line`: four floats a pixel.
    static func plain(
        _ top: UnsafePointer<UInt8>, stride: Int, weights: UnsafeBufferPointer<Float>,
        into line: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        var x = 0
        while x &+ 4 <= line.count {
            var (a, b, c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
            var row = UnsafeRawPointer(top + x &* 4)
            for weight in weights {
                let bytes = row.loadUnaligned(as: SIMD16<UInt8>.self)
                a += float(bytes.lowHalf.lowHalf) * weight
                b += float(bytes.lowHalf.highHalf) * weight
                c += float(bytes.highHalf.lowHalf) * weight
                d += float(bytes.highHalf.highHalf) * weight
                row += stride
            }
            (line[x], line[x &+ 1], line[x &+ 2], line[x &+ 3]) = (a, b, c, d)
            x &+= 4
        }
        while x < line.count {
            line[x] = sum(UnsafeRawPointer(top + x &* 4), stride: stride, weights: weights) { $0 }
            x &+= 1
        }
    }

    /// The same for straight alpha: colours are multiplied by alpha on the way, and alpha by 255 / 255.
    static func straight(
        _ top: UnsafePointer<UInt8>, stride: Int, weights: UnsafeBufferPointer<Float>,
        into line: UnsafeMutableBufferPointer<SIMD4<Float>>
    ) {
        var x = 0
        while x &+ 4 <= line.count {
            var (a, b, c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
            var row = UnsafeRawPointer(top + x &* 4)
            for weight in weights {
                // Little-endian: alpha is a pixel's highest byte.
                let pixels = row.loadUnaligned(as: SIMD4<UInt32>.self)
                let alphas = unsafeBitCast((pixels &>> 24) | bias, to: SIMD4<Float>.self) - biasValue
                let factors = alphas * (weight * (1 / 255))
                let bytes = unsafeBitCast(pixels | 0xFF00_0000, to: SIMD16<UInt8>.self)
                a += float(bytes.lowHalf.lowHalf) * factors[0]
                b += float(bytes.lowHalf.highHalf) * factors[1]
                c += float(bytes.highHalf.lowHalf) * factors[2]
                d += float(bytes.highHalf.highHalf) * factors[3]
                row += stride
            }
            (line[x], line[x &+ 1], line[x &+ 2], line[x &+ 3]) = (a, b, c, d)
            x &+= 4
        }
        while x < line.count {
            line[x] = sum(UnsafeRawPointer(top + x &* 4), stride: stride, weights: weights) { pixel in
                var opaque = pixel
                opaque.w = 255
                return opaque * (pixel.w * (1 / 255))
            }
            x &+= 1
        }
    }

    @inline(__always)
    private static func sum(
        _ start: UnsafeRawPointer, stride: Int, weights: UnsafeBufferPointer<Float>,
        _ change: (SIMD4<Float>) -> SIMD4<Float>
    ) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        var row = start
        for weight in weights {
            sum += change(float(row.loadUnaligned(as: SIMD4<UInt8>.self))) * weight
            row += stride
        }
        return sum
    }

    @inline(__always)
    private static func float(_ bytes: SIMD4<UInt8>) -> SIMD4<Float> {
        let words = SIMD4<UInt32>(truncatingIfNeeded: bytes) | bias
        return unsafeBitCast(words, to: SIMD4<Float>.self) - biasValue
    }
}
