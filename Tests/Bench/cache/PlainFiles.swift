import Glibc

/// What a careful C program does: names below an open folder, one call each, every result looked at.
final class PlainFiles {
    private let folder: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)

    init(_ path: String) {
        mkdir(path, 0o700)
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        precondition(folder >= 0)
    }

    deinit {
        close(folder)
        buffer.deallocate()
    }

    /// 256 folders, as a cache has.
    func makeShards(_ name: String) {
        mkdirat(folder, name, 0o700)
        for number in 0..<256 {
            let digits = (number < 16 ? "0" : "") + String(number, radix: 16)
            mkdirat(folder, "\(name)/\(digits)", 0o700)
        }
    }

    /// open, read, close into one buffer that is used again and again. Gives the bytes.
    func read(_ name: UnsafePointer<CChar>) -> Int {
        let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
        precondition(file >= 0)
        let count = Glibc.read(file, buffer.baseAddress, buffer.count)
        close(file)
        return count
    }

    /// open, fstat, read, close into a new buffer, for a file of which nothing is known.
    func load(_ name: UnsafePointer<CChar>) -> (bytes: UnsafeMutableRawPointer, count: Int) {
        let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
        var state = stat()
        guard file >= 0, fstat(file, &state) == 0, let bytes = malloc(Int(state.st_size)) else { preconditionFailure() }
        let count = Glibc.read(file, bytes, Int(state.st_size))
        close(file)
        precondition(count == Int(state.st_size))
        return (bytes, count)
    }

    /// open, write, close, rename.
    func write(_ bytes: [UInt8], _ temporary: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>) {
        let file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        precondition(file >= 0)
        let count = Glibc.write(file, bytes, bytes.count)
        precondition(count == bytes.count && close(file) == 0)
        precondition(renameat(folder, temporary, folder, name) == 0)
    }
}
