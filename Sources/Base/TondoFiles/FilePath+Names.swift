internal import Glibc
package import SystemPackage

/// File names are bytes: these operations preserve names that are not UTF-8.
extension FilePath {
    /// The path without its last component's extension.
    package var withoutExtension: FilePath {
        var path = self
        path.extension = nil
        return path
    }

    /// The path with an underscore for each control character (ASCII, and U+0080...U+009F in UTF-8), so that a listing
    /// of the folder cannot control a terminal.
    package var withoutControls: FilePath {
        var bytes = bytes
        for (index, byte) in bytes.enumerated() {
            let isC1 = index > 0 && bytes[index - 1] == 0xC2 && (0x80...0x9F).contains(byte)
            if byte < 0x20 || byte == 0x7F || isC1 { bytes[index] = UInt8(ascii: "_") }
            if isC1 { bytes[index - 1] = UInt8(ascii: "_") }
        }
        return FilePath(bytes)
    }

    /// The path with `text` appended to the name of its last component.
    package func appendingToName(_ text: String) -> FilePath { FilePath(bytes + text.utf8) }

    /// The path without `..` through missing folders, as in `new/../a.png`: its target once the folders exist.
    package var withoutDetours: FilePath {
        var base = self
        var rest = FilePath()
        while !base.isEmpty, FileStatus(base) == nil, let name = base.lastComponent {
            rest = FilePath(root: nil, components: name).pushing(rest)
            base.removeLastComponent()
        }
        return base.pushing(rest.lexicallyNormalized())
    }

    /// The absolute path without links and detours; nil if there is no file, with the reason in `errno`.
    package var real: FilePath? {
        guard let target = withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(target) }
        return FilePath(platformString: target)
    }

    /// The absolute path without links and detours, as far as its folders exist.
    package var withoutLinks: FilePath {
        var base = self
        var rest = FilePath()
        while true {
            if let real = (base.isEmpty ? FilePath(".") : base).real { return real.pushing(rest).lexicallyNormalized() }
            guard let name = base.lastComponent else { return self }
            rest = FilePath(root: nil, components: name).pushing(rest)
            base.removeLastComponent()
        }
    }

    /// The target of the link, as it is written in it; nil for anything else.
    package var linkTarget: FilePath? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            let count = withPlatformString { readlink($0, buffer.baseAddress!, Int(PATH_MAX)) }
            guard count > 0 else { return nil }
            buffer[count] = 0
            return FilePath(platformString: UnsafePointer(buffer.baseAddress!))
        }
    }

    /// The path at the end of links, which need not exist; the path itself if it is no link.
    package var followed: FilePath {
        var path = self
        // The kernel's limit: path_resolution(7).
        for _ in 0..<40 {
            guard let target = path.linkTarget else { return path }
            path = path.removingLastComponent().pushing(target)
        }
        return self
    }

    /// Below the process's folder if it is relative.
    package var absolute: FilePath {
        guard !isAbsolute, let current = getcwd(nil, 0) else { return self }
        defer { free(current) }
        return FilePath(platformString: current).pushing(self)
    }

    /// Without a final zero.
    package var bytes: [UInt8] { withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } }

    private init(_ bytes: [UInt8]) { self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0]) }
}
