/// The word `crop` of a recipe, for humans.
enum CropText {
    /// `the centre`, `the top`, `the face (rule 1)`, or `the contact's crop 80,0,612,612`.
    static func text(_ value: String) -> String {
        switch value {
        case "none": "the centre"
        case "top": "the top"
        case _ where value.hasPrefix("face/"): "the face (rule \(value.dropFirst(5)))"
        default: "the contact's crop \(value)"
        }
    }
}
