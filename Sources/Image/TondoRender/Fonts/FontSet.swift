internal import Glibc

/// The font files that draw initials, in the order in which they are asked for a letter. Found alike by the program that draws
/// and by the one that must know beforehand what will draw.
package struct FontSet: Sendable, Equatable {
    /// One font file, which may draw both weights.
    package struct File: Sendable, Equatable {
        /// The program that draws maps it before it is confined.
        package var path: String
        /// Draws text in regular weight: also a bold font whose family has no regular one.
        package var isRegular: Bool
        /// Draws bold text: also a regular font whose family has no bold one.
        package var isBold: Bool
        /// Colour emoji, which have one weight.
        package var isEmoji: Bool
    }

    /// By family, and bold before regular within one; the emoji come last.
    package let files: [File]

    /// Where distributions keep them; the first folder with a file has it. Debian, then Fedora and Arch Linux.
    package static let folders = [
        "/usr/share/fonts/truetype/noto", "/usr/share/fonts/opentype/noto", "/usr/share/fonts/truetype/dejavu",
        "/usr/share/fonts/google-noto", "/usr/share/fonts/google-noto-sans-cjk-fonts", "/usr/share/fonts/noto",
        "/usr/share/fonts/noto-cjk", "/usr/share/fonts/TTF", "/usr/local/share/fonts",
    ]

    /// The Debian packages of the fonts.
    package static let packages = "fonts-noto-core, fonts-noto-cjk and fonts-noto-color-emoji, or fonts-dejavu-core"

    /// Noto first, for it has the same look in all scripts; DejaVu is for what is left, and for systems without Noto.
    private static let families =
        ([
            "", "Arabic", "Hebrew", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu",
            "Kannada",
            "Malayalam", "Sinhala", "Thai", "Lao", "Khmer", "Myanmar", "Georgian", "Armenian", "Ethiopic",
        ].map { ("NotoSans" + $0, "ttf") }) + [("NotoSansCJK", "ttc")]
        + ([
            "Adlam", "Balinese", "Bamum", "CanadianAboriginal", "Cham", "Cherokee", "HanifiRohingya", "Javanese",
            "KayahLi",
            "Lisu", "MeeteiMayek", "Mongolian", "NKo", "OlChiki", "Sundanese", "Syriac", "TaiTham", "Thaana",
            "Tifinagh",
            "Vai", "Yi", "Symbols", "Symbols2", "Math",
        ].map { ("NotoSans" + $0, "ttf") }) + [("NotoSerifTibetan", "ttf"), ("DejaVuSans", "ttf")]

    private static let emoji = "NotoColorEmoji.ttf"

    /// Those in these folders that can be read.
    package init(in folders: [String] = FontSet.folders) {
        func find(_ name: String) -> String? {
            folders.lazy.map { $0 + "/" + name }.first { access($0, R_OK) == 0 }
        }
        var files: [File] = []
        for (family, ending) in Self.families {
            let regular = find("\(family)-Regular.\(ending)") ?? find("\(family).\(ending)")
            let bold = find("\(family)-Bold.\(ending)")
            // A font in one weight draws both.
            if let bold { files.append(File(path: bold, isRegular: regular == nil, isBold: true, isEmoji: false)) }
            if let regular { files.append(File(path: regular, isRegular: true, isBold: bold == nil, isEmoji: false)) }
        }
        if let path = find(Self.emoji) { files.append(File(path: path, isRegular: true, isBold: true, isEmoji: true)) }
        self.files = files
    }

    /// No font has letters. Emoji alone draw no initials.
    package var isEmpty: Bool { files.allSatisfy(\.isEmoji) }

    /// What sets this one apart from all others, for a digest: of each file its name, its size and its beginning, which holds a
    /// checksum of every table in it (OpenType, section "table directory"). Reading all bytes of the files would take a
    /// thousand times as long. Changes with an update of the fonts; the same on machines with the same fonts.
    package var identity: [UInt8] { files.flatMap { Self.identity(of: $0) } }

    private static func identity(of file: File) -> [UInt8] {
        let name = file.path.split(separator: "/").last.map { Array($0.utf8) } ?? []
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return name + [0] }
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        var start = [UInt8](repeating: 0, count: 1_024)
        let count = pread(descriptor, &start, start.count, 0)
        return name + Array("\0\(status.st_size) \(file.isRegular) \(file.isBold)\0".utf8) + start[..<max(count, 0)]
    }
}
