internal import CFaces
internal import libdeflate

/// The file of a face model, in the form that `assets/face_model_weights.py` describes.
struct Weights {
    private static let magic = Array("TONDOFM1".utf8)

    /// All of it.
    private(set) var bytes: [UInt8]

    /// Where the parts of a convolution are in the file.
    private struct Place {
        let convolution: Int
        let shift: Int
        let biases: Range<Int>
        let weights: Range<Int>
    }

    private static let places: [Place] = {
        var end = magic.count + 4
        return (0..<Int(CFACES_CONVOLUTIONS)).map { convolution in
            let shape = shape(convolution)
            let shift = end
            let biases = shift + 4..<shift + 4 + shape.outputs * 4
            end = biases.upperBound + shape.outputs * (shape.inputs == 1 ? 9 : shape.inputs) * 2
            return Place(convolution: convolution, shift: shift, biases: biases, weights: biases.upperBound..<end)
        }
    }()

    static let size = places[places.count - 1].weights.upperBound

    private static func shape(_ convolution: Int) -> (inputs: Int, outputs: Int) {
        var inputs: Int32 = 0
        var outputs: Int32 = 0
        cfaces_shape(Int32(convolution), &inputs, &outputs)
        return (Int(inputs), Int(outputs))
    }

    private mutating func set<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
        withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + $0.count, with: $0) }
    }

    /// The magic and the checksum of the rest.
    private mutating func seal() {
        bytes.replaceSubrange(0..<Self.magic.count, with: Self.magic)
        let start = Self.magic.count + 4
        set(bytes[start...].withUnsafeBytes { UInt32(libdeflate_crc32(0, $0.baseAddress, $0.count)) }, at: start - 4)
    }
}

// MARK: Weights of the input

extension Weights {
    /// A file that `FaceModel` accepts. `input`: whether the other bytes are repeated for all of it, and otherwise two bytes that
    /// say where they are laid over the fixed weights.
    init(of input: ArraySlice<UInt8>) {
        let first = Self.magic.count + 4
        let numbers = input.prefix(3).map(Int.init) + [0, 0, 0]
        let values = Array(input.dropFirst(3))
        if numbers[0] % 2 == 0 {
            bytes = Self.fixed.bytes
            let start = first + (numbers[1] << 8 | numbers[2]) * 2 % (Self.size - first)
            let length = min(values.count, Self.size - start)
            bytes.replaceSubrange(start..<start + length, with: values.prefix(length))
        } else {
            bytes = (0..<Self.size).map { values.isEmpty ? 0 : values[$0 % values.count] }
        }
        for place in Self.places { set(UInt32(min(max(bytes[place.shift] & 31, 1), 30)), at: place.shift) }
        seal()
    }
}

// MARK: Fixed weights

extension Weights {
    /// Small pseudo-random weights whose outputs are faces of many sizes, at places where eyes and mouths may be: the model that
    /// finds real ones may be missing.
    static let fixed: Weights = {
        var weights = Weights(bytes: [UInt8](repeating: 0, count: size))
        var state: UInt64 = 36
        for place in places {
            let largest = largestWeight(place.convolution)
            weights.set(place.convolution == 0 ? 4 : UInt32(shift), at: place.shift)
            for index in stride(from: place.weights.lowerBound, to: place.weights.upperBound, by: 2) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                weights.set(Int16(Int(state >> 33) % (2 * largest + 1) - largest), at: index)
            }
            guard place.convolution >= firstOutput, place.convolution % 2 == 0 else { continue }
            for (output, bias) in outputs.enumerated() {
                let whole = bias * Double(1 << (shift + Int(CFACES_FRACTION_BITS)))
                weights.set(Int32(whole), at: place.biases.lowerBound + output * 4)
            }
        }
        weights.seal()
        return weights
    }()

    /// Bits after the point, but for the first convolution.
    private static let shift = 12
    /// The first of the three pairs that give the outputs.
    private static let firstOutput = Int(CFACES_CONVOLUTIONS) - 6
    /// What the outputs are on average: the class, the box in cells (its middle, and the logarithms of its sides), whether there is
    /// an object, and the landmarks in cells.
    private static let outputs = [1, 0.5, 0.5, 0.8, 1, 1, 0.1, 0.2, 0.9, 0.2, 0.5, 0.7, 0.2, 1.2, 0.8, 1.2]

    /// So that values neither vanish nor reach their limits.
    private static func largestWeight(_ convolution: Int) -> Int {
        if convolution == 0 { return 170 }
        if convolution % 2 == 1 { return 1_000 }
        return convolution >= firstOutput ? 400 : 3_200
    }
}

// MARK: The network itself

extension Weights {
    /// The numbers that the network gives for a picture of noise of 32 x 32 pixels.
    func outputs(by kernel: cfaces_kernel) -> [Int16] {
        let width: Int32 = 32
        let height: Int32 = 32
        let scratch = UnsafeMutableRawPointer.allocate(
            byteCount: cfaces_scratch_size(width, height), alignment: 64)
        let outputs = UnsafeMutablePointer<UnsafePointer<Int16>?>.allocate(capacity: 3)
        defer {
            scratch.deallocate()
            outputs.deallocate()
        }
        guard let input = cfaces_input(scratch, width, height) else { return [] }
        for index in 0..<Int((width + 2) * (height + 1) * 4) { input[index] = Int16(index * 7_919 % 256) }
        withConvolutions { cfaces_run($0, width, height, scratch, kernel, outputs) }
        return (0..<3).flatMap { level in
            let cells = Int(width * height) >> (6 + 2 * level)
            return UnsafeBufferPointer(start: outputs[level], count: cells * Int(CFACES_OUTPUTS))
        }
    }

    private func withConvolutions(_ body: (UnsafePointer<cfaces_convolution>?) -> Void) {
        // Aligned for numbers of 32 bits, as all places are.
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let convolutions = Self.places.map { place in
                cfaces_convolution(
                    weights: (base + place.weights.lowerBound).assumingMemoryBound(to: Int16.self),
                    biases: (base + place.biases.lowerBound).assumingMemoryBound(to: Int32.self),
                    shift: base.load(fromByteOffset: place.shift, as: Int32.self))
            }
            convolutions.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
