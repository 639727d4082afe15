package import TondoImage

/// The programs that draw in confined processes, each with the libraries it needs: large ones cost each start, and their
/// faults reach no further than their own process.
package enum WorkerKind: String, CaseIterable, Sendable {
    /// JPEG, PNG, WebP and GIF.
    case standard
    /// HEIC and AVIF, through libheif.
    case heif
    /// Initials, through Pango and Cairo.
    case text

    /// The kind whose program draws photos in this format.
    package init(_ format: ImageHeader.Format) {
        switch format {
        case .jpeg, .png, .webp, .gif: self = .standard
        case .heic, .avif: self = .heif
        case .initials: self = .text
        }
    }

    /// The name of its program, which lies beside the others.
    package var program: String {
        switch self {
        case .standard: "tondo-render"
        case .heif: "tondo-render-heif"
        case .text: "tondo-render-text"
        }
    }

    /// The environment variable that names another program.
    package var variable: String {
        switch self {
        case .standard: "TONDO_RENDER"
        case .heif: "TONDO_RENDER_HEIF"
        case .text: "TONDO_RENDER_TEXT"
        }
    }

    /// The Debian package that brings it; nil: the one of Tondo itself, without which nothing is drawn.
    package var package: String? {
        switch self {
        case .standard: nil
        case .heif: "tondo-heif"
        case .text: "tondo-text"
        }
    }

    /// Whether its photos may show faces. Initials never do.
    package var findsFaces: Bool { self != .text }

    /// Its place among all kinds.
    package var index: Int {
        switch self {
        case .standard: 0
        case .heif: 1
        case .text: 2
        }
    }

    /// Processes at once, of photos that are drawn at once; nil: as many as those. A HEIC photo takes as much time and
    /// memory as ten others, initials a tenth of the time of one.
    package func most(of slots: Int) -> Int? {
        switch self {
        case .standard: nil
        case .heif: min(max(slots / 2, 1), 4)
        case .text: min(max(slots, 1), 4)
        }
    }
}
