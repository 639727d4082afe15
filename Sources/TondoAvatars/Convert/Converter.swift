internal import Glibc
internal import SystemPackage
package import TondoImage

/// Converts one photo at a time: read -> digest -> skip what is there -> draw -> encode -> write. Usable from any
/// thread; blocks it.
package struct Converter: Sendable {
    private let renderer: AvatarRenderer
    private let limits: Limits
    /// Draw even what is there already.
    private let force: Bool

    package init(styles: [Style], limits: Limits, force: Bool) {
        renderer = AvatarRenderer(styles: styles, limits: limits)
        self.limits = limits
        self.force = force
    }

    package func convert(_ item: ConversionPlan.Item) -> ConversionResult {
        let clock = ContinuousClock()
        let start = clock.now
        var result = ConversionResult(input: item.input, status: .done)
        do {
            try draw(item, into: &result)
        } catch {
            result.status = item.input.isStray(error) ? .ignored : .failed
            result.failure = .init(error)
            result.pictures.removeAll { !$0.isWritten }
        }
        result.milliseconds = (clock.now - start) / .milliseconds(1)
        return result
    }

    private func draw(_ item: ConversionPlan.Item, into result: inout ConversionResult) throws {
        let file = try open(item.input.source)
        let photo = Photo(file.bytes, isMapped: file.isMapped)
        let denominator = try renderer.decodeDenominator(for: photo)
        let digest = PhotoDigest(file)
        let recipes = renderer.styles.map { Recipe(photo: digest, style: $0, decodeDenominator: denominator) }
        result.pictures = zip(item.outputs, renderer.styles).map {
            .init(path: $0, style: $1, isWritten: false, bytes: 0)
        }
        let wanted = recipes.indices.filter { force || !Self.holds(item.outputs[$0], recipes[$0]) }
        guard !wanted.isEmpty else {
            result.status = .skipped
            return
        }
        (result.header, result.warnings) = try renderer.draw(photo, styles: wanted) { canvas, i in
            let text = [(keyword: Recipe.keyword, value: recipes[i].text)]
            let png = PNGEncoder.encode(pixels: canvas.bytes, width: canvas.side, height: canvas.side, text: text)
            try Self.write(png, to: item.outputs[i])
            result.pictures[i].isWritten = true
            result.pictures[i].bytes = png.count
        }
    }

    private func open(_ source: ConversionInput.Source) throws -> PhotoFile {
        switch source {
        case .file(let path): try PhotoFile.open(path, limit: limits.maxMemory)
        case .standardInput: try PhotoFile.standardInput(limit: limits.maxMemory)
        }
    }

    private static func write(_ png: [UInt8], to path: FilePath) throws {
        guard path == "-" else { return try AtomicFile.write(png, to: path) }
        do {
            try FileDescriptor.standardOutput.writeAll(png)
        } catch let error as Errno { throw FileError(.write, "standard output", error) }
    }

    /// The file is a picture drawn by this recipe.
    private static func holds(_ path: FilePath, _ recipe: Recipe) -> Bool {
        guard path != "-",
            let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        else { return false }
        defer { try? file.close() }
        let head = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = (try? file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
        }
        return head.withUnsafeBytes { Recipe(readingFrom: $0) } == recipe
    }
}
