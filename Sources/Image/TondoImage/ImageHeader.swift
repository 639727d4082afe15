/// The header of a photo, read before any pixel is decoded.
package struct ImageHeader: Equatable, Sendable {
    /// The supported formats.
    package enum Format: String, Sendable {
        case jpeg, png, webp, gif, heic, avif
        /// Made in memory, see `InitialsDrawing`; no file is taken for one.
        case initials

        /// As people write it.
        package var name: String {
            switch self {
            case .jpeg, .png, .gif, .heic, .avif: rawValue.uppercased()
            case .webp: "WebP"
            case .initials: "initials"
            }
        }
    }

    /// Detected from the bytes, never from the name of a file or the type in a vCard.
    package var format: Format
    /// Stored size in pixels, before orientation.
    package var width: Int
    /// Pixels before orientation, like `width`.
    package var height: Int
    /// How the stored picture is turned upright; `up` if the file does not say.
    package var orientation = Orientation.up
    /// The file has one colour channel.
    package var isGray = false
    /// The whole picture must be held while decoding: progressive, multi-scan or interlaced.
    package var isBuffered = false
    /// JPEG only: arithmetic instead of Huffman coding.
    package var isArithmetic = false
    /// JPEG only: its scans refine each other.
    package var isProgressive = false
    /// JPEG only: where the frame header has 0 for a height that is stated behind the first scan (ITU-T T.81 section B.2.5).
    package var lateHeight: Int?
    /// PNG only: Apple's variant, see `CgBI`.
    package var isCgBI = false
    /// PNG only: what its chunks say besides its size.
    package var png = PNGDetails()
    /// JPEG only: sampling factors of each component, horizontal and vertical.
    package var sampling: [Sampling] = []
    /// WebP only: what is decoded.
    package var webP: WebPFrame?
    /// GIF only: what is decoded.
    package var gif: GIFFrame?
    /// HEIC and AVIF only: what is decoded.
    package var heif: HEIFImage?
    /// Initials only: what is drawn.
    package var initials: InitialsDrawing?
    /// JPEG, WebP, HEIC and AVIF: the profile, or why it is unusable.
    package var profile = EmbeddedProfile.none

    /// Sampling factors of one JPEG component (ITU-T T.81 section A.1.1).
    package struct Sampling: Equatable, Sendable {
        /// The component's name in scan headers.
        package var identifier: Int
        /// 1 to 4; a component with less than the largest factor has fewer columns.
        package var horizontal: Int
        /// 1 to 4; a component with less than the largest factor has fewer rows.
        package var vertical: Int

        package init(identifier: Int, horizontal: Int, vertical: Int) {
            self.identifier = identifier
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    /// The size after orientation, in pixels.
    package var orientedSize: (width: Int, height: Int) { geometry.orientedSize }

    /// The part that decides the scale of the decode, small enough for the index of the cache.
    package var geometry: PhotoGeometry { PhotoGeometry(self) }

    /// The largest sampling factors of all components; 1 without components.
    var maxSampling: (horizontal: Int, vertical: Int) {
        (sampling.map(\.horizontal).max() ?? 1, sampling.map(\.vertical).max() ?? 1)
    }

    /// An upper bound of the 8 x 8 blocks of a component.
    func blocks(of component: Int) -> Int {
        let (factors, most) = (sampling[component], maxSampling)
        let columns = (width * factors.horizontal / most.horizontal + 15) / 8
        let rows = (height * factors.vertical / most.vertical + 15) / 8
        return columns * rows
    }

    /// Stored sides in pixels; everything else has its default, as in a file that says no more.
    package init(format: Format, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }
}

/// A colour profile carried by a photo.
package enum EmbeddedProfile: Equatable, Sendable {
    case none
    case icc([UInt8])
    /// PNG without a profile, but with gAMA and perhaps cHRM: file gamma (0.45455 = 1/2.2) and white, red, green,
    /// blue as x, y pairs.
    case calibrated(gamma: Double, chromaticities: [Double]?)
    case broken(String)
}
