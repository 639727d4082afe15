import ArgumentParser
import TondoImage
import TondoText

/// What a photo that a book stores may be.
struct PhotoBoundsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Pixels that the longer side may have.", valueName: "pixels"))
    var maxSide = StorablePhoto.Bounds.usual.maxSide

    @Option(help: ArgumentHelp("Bytes that the photo may have.", valueName: "size"))
    var maxBytes = ByteCount(StorablePhoto.Bounds.usual.maxBytes)

    var bounds: StorablePhoto.Bounds { StorablePhoto.Bounds(maxSide: maxSide, maxBytes: maxBytes.bytes) }

    /// `720 pixels or 100 kB`.
    var text: String { "\(maxSide) pixels or \(ByteAmount.text(maxBytes.bytes))" }

    func validate() throws {
        let (sides, sizes) = (StorablePhoto.Bounds.sides, StorablePhoto.Bounds.sizes)
        guard sides ~= maxSide else {
            throw ValidationError("--max-side \(maxSide): must be 1 to \(sides.upperBound).")
        }
        guard sizes ~= maxBytes.bytes else {
            throw ValidationError("--max-bytes: must be at most \(ByteAmount.text(sizes.upperBound)).")
        }
    }
}
