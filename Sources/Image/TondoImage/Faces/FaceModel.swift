internal import CFaces

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#endif

/// Why a file is no face model of this version.
package enum FaceModelError: Error, Equatable, Sendable, CustomStringConvertible {
    case notAModel, anotherVersion, damaged

    package var description: String {
        switch self {
        case .notAModel: "not a face model"
        case .anotherVersion: "a face model of another version"
        case .damaged: "a damaged face model"
        }
    }
}

/// The weights of the face detector, as `assets/make_face_model` writes them. Usable from any thread.
// Safe because the memory is written by `init` alone.
package final class FaceModel: @unchecked Sendable {
    /// Bytes of every intact file.
    package static let size = 109_816
    /// The beginning of the file; the digit is the version of its form.
    private static let magic = Array("TONDOFM1".utf8)

    let convolutions: [cfaces_convolution]
    private let memory: UnsafeMutableRawPointer

    /// Copies a whole file, and checks it.
    package init(_ bytes: UnsafeRawBufferPointer) throws(FaceModelError) {
        guard bytes.count >= 12, bytes.starts(with: Self.magic.dropLast()) else { throw .notAModel }
        guard bytes.starts(with: Self.magic) else { throw .anotherVersion }
        guard bytes.count == Self.size else { throw .damaged }
        let checksum = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self).littleEndian
        let body = UnsafeRawBufferPointer(rebasing: bytes[12...])
        memory = UnsafeMutableRawPointer.allocate(byteCount: body.count, alignment: 64)
        UnsafeMutableRawBufferPointer(start: memory, count: body.count).copyMemory(from: body)
        let bound = memory.assumingMemoryBound(to: UInt8.self)
        guard Checksum.crc32(bound, count: body.count) == checksum,
            let convolutions = Self.convolutions(in: UnsafeRawBufferPointer(start: memory, count: body.count))
        else {
            memory.deallocate()
            throw .damaged
        }
        self.convolutions = convolutions
    }

    deinit { memory.deallocate() }

    /// Nil unless the parts fill the file.
    private static func convolutions(in body: UnsafeRawBufferPointer) -> [cfaces_convolution]? {
        var result: [cfaces_convolution] = []
        var place = 0
        for index in 0..<CFACES_CONVOLUTIONS {
            var inputs: Int32 = 0
            var outputs: Int32 = 0
            cfaces_shape(index, &inputs, &outputs)
            let biases = place + 4
            let weights = biases + Int(outputs) * 4
            let end = weights + Int(outputs) * (inputs == 1 ? 9 : Int(inputs)) * 2
            guard end <= body.count, let base = body.baseAddress else { return nil }
            let shift = Int32(littleEndian: body.load(fromByteOffset: place, as: Int32.self))
            // More bits than a sum has would be undefined.
            guard (1...30).contains(shift) else { return nil }
            result.append(
                cfaces_convolution(
                    weights: (base + weights).assumingMemoryBound(to: Int16.self),
                    biases: (base + biases).assumingMemoryBound(to: Int32.self), shift: shift))
            place = end
        }
        return place == body.count ? result : nil
    }
}
