package import SystemPackage
internal import TondoCache
package import TondoImage

/// Which part of a photo an avatar shows, and why, as JSON: of `tondo convert --json`, `tondo cache show`, `tondo cache why` and
/// `GET /v1/contacts/{id}/crop`. All lengths and places are in pixels of the upright photo, counted from its upper left corner.
package struct CropReport: Codable, Equatable, Sendable {
    /// Why the square is where it is.
    package enum Reason: String, CaseIterable, Codable, Sendable {
        /// It was moved to the faces.
        case face
        /// A face was found, and the centre square shows it well.
        case framed
        /// No face was found: the centre square.
        case none
        /// The contact states a crop.
        case contact
        /// The centre, whatever the photo shows. Also of `crop=face` where no face is looked for.
        case centre
        /// The upper end.
        case top
    }

    /// The size of the upright photo.
    package struct Photo: Codable, Equatable, Sendable {
        /// Pixels.
        package var width: Int
        /// Pixels.
        package var height: Int
    }

    /// What the detector found. Places have two decimals, and may lie outside of the photo.
    package struct Face: Codable, Equatable, Sendable {
        /// The left edge of its box, which reaches from the forehead to the chin.
        package var x: Double
        /// The upper edge of its box.
        package var y: Double
        /// Pixels.
        package var width: Double
        /// Pixels.
        package var height: Double
        /// How sure the detector is, 0...1.
        package var score: Double
        /// The eyes, the tip of the nose and the corners of the mouth, each as x and y; the left one in the picture first.
        package var landmarks: [[Double]]
    }

    /// The left edge of the square that is shown.
    package var x: Int
    /// Its upper edge.
    package var y: Int
    /// Pixels.
    package var side: Int
    /// Why the square is there.
    package var by: Reason
    /// The size of the upright photo.
    package var photo: Photo
    /// The surest first, with faces that are too unsure to move the square. Nil: no face was looked for.
    package var faces: [Face]?
}

extension CropReport {
    /// For what a detector found.
    package init(_ record: CropRecord) {
        let reason: Reason =
            switch record.reason {
            case .face: .face
            case .framed: .framed
            case .none: .none
            }
        self.init(
            square: record.square, by: reason, photo: (record.width, record.height),
            faces: record.faces.map { CropReport.Face($0) })
    }

    /// For a photo in which no face was looked for. `crop`: of the contact. `style`: as it is drawn.
    package init(_ geometry: PhotoGeometry, contact crop: CropRectangle?, style: Style.Crop) {
        let shown = geometry.shownSquare(contact: crop, style: style)
        let reason: Reason = shown.isContact ? .contact : style == .top ? .top : .centre
        self.init(square: shown.square, by: reason, photo: geometry.orientedSize, faces: nil)
    }

    /// `record`: what the file of the avatar says. Nil: its crop depends on faces, and no record says where they are.
    package init?(
        of record: CropRecord?, in geometry: PhotoGeometry, contact crop: CropRectangle?, style: Style.Crop
    ) {
        if let record {
            self.init(record)
        } else {
            self.init(geometry, contact: crop, style: style)
            if style == .face, by != .contact { return nil }
        }
    }

    /// For the photo that the avatar of a contact shows. Nil: it shows another picture, such as initials, or its photo is not known
    /// any more.
    package init?(of avatar: Avatar) {
        let record = CropRecord(ofAvatar: avatar.bytes)
        if let photo = avatar.photo {
            let recipe = avatar.bytes.withUnsafeBytes { AvatarRecipe(readingFrom: $0) }.flatMap { Recipe($0.text) }
            // A contact's crop counts whatever the style is.
            let style = recipe?.styleCrop ?? .centre
            self.init(of: record, in: photo.geometry, contact: photo.crop, style: style)
        } else if let record {
            self.init(record)
        } else {
            return nil
        }
    }

    private init(square: PixelRectangle, by reason: Reason, photo: (width: Int, height: Int), faces: [Face]?) {
        x = square.x
        y = square.y
        side = square.width
        by = reason
        self.photo = Photo(width: photo.width, height: photo.height)
        self.faces = faces
    }
}

extension CropReport {
    /// The face that the square is about: the largest of those that are sure enough to move it.
    package var mainFace: Face? {
        faces?.filter { $0.score * 1000 >= Double(FaceRule.leastScore) }
            .max { $0.width * $0.height < $1.width * $1.height }
    }
}

extension CropReport.Face {
    init(_ face: TondoImage.Face) {
        x = Self.pixels(face.origin.x)
        y = Self.pixels(face.origin.y)
        width = Self.pixels(face.width)
        height = Self.pixels(face.height)
        score = Double(face.score) / 1000
        landmarks = face.landmarks.map { [Self.pixels($0.x), Self.pixels($0.y)] }
    }

    /// With two decimals: a unit is a little more than a hundredth.
    private static func pixels(_ units: Int) -> Double {
        (Double(units) * 100 / Double(TondoImage.Face.unitsPerPixel)).rounded() / 100
    }
}

extension CropRecord {
    /// What an avatar says was found; nil if it says nothing. `bytes`: of its file, at least those before the pixels.
    package init?(ofAvatar bytes: [UInt8]) {
        guard let text = bytes.withUnsafeBytes({ AvatarText.value(of: Self.keyword, in: $0) }) else { return nil }
        self.init(text)
    }

    /// Nil also if the file cannot be read. Blocks.
    package init?(ofFile path: FilePath) {
        self.init(ofAvatar: AvatarRecipe.head(of: path, count: AvatarRecipe.longestHead))
    }
}
