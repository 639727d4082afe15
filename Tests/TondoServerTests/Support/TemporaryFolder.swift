import Foundation

/// A folder that is removed with its last owner.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/tondo-server-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = path + "/" + name
        guard
            FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        else { throw CocoaError(.fileWriteUnknown) }
        return file
    }
}
