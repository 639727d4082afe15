import Testing

@testable import TondoImage

/// The file of the weights.
@Suite struct FaceModelTests {
    private func error(_ bytes: [UInt8]) -> FaceModelError? {
        do throws(FaceModelError) {
            _ = try bytes.withUnsafeBytes { bytes in Result { () throws(FaceModelError) in try FaceModel(bytes) } }
                .get()
            return nil
        } catch { return error }
    }

    @Test func `Another file is refused by name`() {
        #expect(error([]) == .notAModel)
        #expect(error(Array("not a model at all".utf8)) == .notAModel)
        #expect(error(Array("TONDOFM2 and so on".utf8)) == .anotherVersion)
        #expect(error(Array("TONDOFM1 but too short".utf8)) == .damaged)
    }

    @Test(.enabled(if: FaceModels.isThere, FaceModels.advice))
    func `A file in which one bit differs is refused`() {
        #expect(error(FaceModels.bytes) == nil)
        for place in stride(from: 8, to: FaceModels.bytes.count, by: 4_999) {
            var bytes = FaceModels.bytes
            bytes[place] ^= 4
            #expect(error(bytes) == .damaged)
        }
        #expect(error(FaceModels.bytes.dropLast()) == .damaged)
    }
}
