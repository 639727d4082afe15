import TondoAvatars

/// The part of a photo that an avatar shows, for humans.
enum CropText {
    /// The word `crop` of a recipe: `the centre`, `the top`, `the face (rule 1)`, or `the contact's crop 80,0,612,612`.
    static func text(_ value: String) -> String {
        switch value {
        case "none": "the centre"
        case "top": "the top"
        case _ where value.hasPrefix("face/"): "the face (rule \(value.dropFirst(5)))"
        default: "the contact's crop \(value)"
        }
    }

    /// `face at 0.42, 0.31 of the photo, score 0.93; square 412,96 612x612 of 4032x3024`, then a line for each other face. A
    /// place is the middle of a face, from the upper left corner.
    static func lines(of crop: CropReport) -> [String] {
        let square = "square \(crop.x),\(crop.y) \(crop.side)x\(crop.side) of \(crop.photo.width)x\(crop.photo.height)"
        let main = crop.mainFace
        let others = (crop.faces ?? []).filter { $0 != main }.map { "another, " + text(of: $0, in: crop.photo) }
        return ["\(reason(of: crop)); \(square)"] + others
    }

    private static func reason(of crop: CropReport) -> String {
        let face = crop.mainFace.map { "face " + text(of: $0, in: crop.photo) } ?? "face"
        return switch crop.by {
        case .face: face
        case .framed: "framed: \(face)"
        case .none: "no face: centre"
        case .contact: "the contact's crop"
        case .centre: "the centre"
        case .top: "the top"
        }
    }

    private static func text(of face: CropReport.Face, in photo: CropReport.Photo) -> String {
        let x = share(face.x + face.width / 2, of: photo.width)
        let y = share(face.y + face.height / 2, of: photo.height)
        return "at \(x), \(y) of the photo, score \(decimal(face.score))"
    }

    private static func share(_ place: Double, of length: Int) -> String { decimal(place / Double(max(length, 1))) }

    /// With two digits.
    private static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let digits = String(hundredths.magnitude % 100)
        let sign = hundredths < 0 ? "-" : ""
        return "\(sign)\(hundredths.magnitude / 100).\(digits.count == 1 ? "0" : "")\(digits)"
    }
}
