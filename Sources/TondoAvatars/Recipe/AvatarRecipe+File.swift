package import SystemPackage

extension AvatarRecipe {
    /// The recipe in an avatar's file; nil if there is no such file, or no recipe in its first kilobyte.
    package init?(ofFile path: FilePath) {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
            return nil
        }
        defer { try? file.close() }
        let head = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = (try? file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        guard let recipe = head.withUnsafeBytes({ AvatarRecipe(readingFrom: $0) }) else { return nil }
        self = recipe
    }
}
