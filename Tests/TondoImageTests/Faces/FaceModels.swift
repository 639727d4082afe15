import Testing
import TondoTestSupport

@testable import TondoImage

#if canImport(Glibc)
    import Glibc
#endif

/// The face model that `make test` gets; tests that need it say so when it is not there.
enum FaceModels {
    static let path = ".build/face.model"
    static let bytes: [UInt8] = {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        return [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, file)
        }
    }()
    static let isThere = !bytes.isEmpty
    static let advice: Comment = "there is no .build/face.model: assets/make_face_model makes it"

    static func model() throws -> FaceModel { try bytes.withUnsafeBytes { try FaceModel($0) } }
}
