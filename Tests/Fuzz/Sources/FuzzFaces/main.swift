private import CFaces
private import FuzzSupport
private import Glibc
private import TondoImage

// The first byte says what the input is: a picture for fixed weights, weights for a picture, a file that may be a face model,
// or the text of a crop.
exit(
    Fuzzing.run { bytes, count in
        let input = ArraySlice(UnsafeRawBufferPointer(start: bytes, count: count))
        switch input.first.map({ $0 % 4 }) {
        case 0: Faces.search(FuzzedPicture(input.dropFirst()), by: Faces.fixed)
        case 1: Faces.check(Weights(of: input.dropFirst()))
        case 2: input.dropFirst().withUnsafeBytes { _ = try? FaceModel($0) }
        case 3: Faces.readText(String(decoding: input.dropFirst(), as: UTF8.self))
        default: break
        }
        return 0
    })

private enum Faces {
    /// One for each kernel of this processor, the fastest one last.
    struct Detectors {
        let all: [FaceDetector]

        init(_ weights: Weights) {
            guard let model = weights.bytes.withUnsafeBytes({ try? FaceModel($0) }) else {
                fatalError("a model that is refused")
            }
            all = FaceDetector.Kernel.available.map { FaceDetector(model, kernel: $0) }
        }
    }

    static let fixed = Detectors(.fixed)
    private static let smallPicture: ArraySlice<UInt8> = [0, 31, 0, 23, 0, 0, 255, 0, 1, 7, 77, 177, 250, 3]

    /// All kernels find the same, and the square is in the photo.
    static func search(_ picture: FuzzedPicture, by detectors: Detectors) {
        let found = detectors.all.map { picture.faces(by: $0) }
        Fuzzing.require(found.allSatisfy { $0 == found[0] }, "kernels that find different faces")
        guard let record = detectors.all.last.flatMap({ picture.record(by: $0) }) else {
            fatalError("no memory for a small picture")
        }
        let photo = picture.header.orientedSize
        Fuzzing.require((record.width, record.height) == photo, "a record of another photo")
        requireInside(record)
        Fuzzing.require(CropRecord(record.text) == record, "a record that is read otherwise than it was written")
    }

    static func check(_ weights: Weights) {
        let numbers = FaceDetector.Kernel.available.map {
            weights.outputs(by: cfaces_kernel(rawValue: $0.rawValue))
        }
        Fuzzing.require(numbers.allSatisfy { $0 == numbers[0] }, "kernels that give different numbers")
        search(FuzzedPicture(smallPicture), by: Detectors(weights))
    }

    static func readText(_ text: String) {
        guard let record = CropRecord(text) else { return }
        Fuzzing.require(record.text == text, "two texts of one record")
        requireInside(record)
    }

    private static func requireInside(_ record: CropRecord) {
        let square = record.square
        Fuzzing.require(square.width == square.height && square.width > 0, "a crop that is no square")
        Fuzzing.require(
            square.x >= 0 && square.y >= 0 && square.x + square.width <= record.width
                && square.y + square.height <= record.height, "a square outside of the photo")
    }
}

/// A picture as a decoder gives it.
private struct FuzzedPicture {
    let pixels: Pixels
    /// Of the photo, of which the picture is a reduced decode.
    private(set) var header: ImageHeader
    private let longestSide: Int

    /// `input`: two bytes for the width and two for the height; the layout; the orientation; four times the longest side that the
    /// network sees; how much larger the photo is; then bytes that are repeated for all pixels.
    init(_ input: ArraySlice<UInt8>) {
        let numbers = input.prefix(8).map(Int.init) + [Int](repeating: 0, count: 8)
        let width = (numbers[0] << 8 | numbers[1]) % 400 + 1
        let height = (numbers[2] << 8 | numbers[3]) % 400 + 1
        guard let pixels = try? Pixels(transparent: width, height: height) else {
            fatalError("no memory for a small picture")
        }
        let values = Array(input.dropFirst(8))
        for index in 0..<width * height * 4 where !values.isEmpty {
            pixels.bytes[index] = values[index % values.count]
        }
        let layouts: [Pixels.Layout] = [.opaque, .straight, .premultiplied, .cmyk]
        pixels.layout = layouts[numbers[4] % 4]
        self.pixels = pixels
        // A larger one takes the plain kernel too long; what `record` does has all sizes.
        longestSide = numbers[6] / 4 + 1
        let scale = numbers[7] % 8 + 1
        header = ImageHeader(format: .png, width: width * scale, height: height * scale)
        header.orientation = Orientation(rawValue: numbers[5] % 8 + 1) ?? .up
    }

    func faces(by detector: FaceDetector) -> [Face]? {
        try? detector.faces(
            in: pixels, orientation: header.orientation, photo: header.orientedSize, longestSide: longestSide)
    }

    func record(by detector: FaceDetector) -> CropRecord? { try? detector.record(of: pixels, header: header) }
}
