private import Foundation
private import TondoImage

// DrawnFaces FOLDER [EVERY [SCALE]]: writes the drawn pictures of the tests as PNGs, and what is on them as labels.json.
// EVERY: 1: all of them, 10: every tenth. SCALE: pictures of 320 pixels times this.

/// A picture of the labels; all places are pixels, from the upper left corner.
private struct LabelledPicture: Codable {
    struct Face: Codable {
        /// x, y, width, height, from the brow to the chin.
        var box: [Float]
        /// The highest place of the head with its hair, and the lowest of the chin.
        var crown: [Float]
        var chin: [Float]
    }

    var file: String
    var kind: String
    var width: Int
    var height: Int
    /// The largest first.
    var faces: [Face]
}

extension LabelledPicture {
    init(_ scene: DrawnScene, file: String) {
        self.init(
            file: file, kind: scene.kind.rawValue, width: scene.width, height: scene.height,
            faces: scene.faces.map { face in
                Face(
                    box: [face.box.x, face.box.y, face.box.width, face.box.height],
                    crown: [face.crown.x, face.crown.y], chin: [face.chin.x, face.chin.y])
            })
    }
}

private let arguments = CommandLine.arguments
guard (2...4).contains(arguments.count), let every = Int(arguments.count > 2 ? arguments[2] : "1"), every > 0,
    let scale = Int(arguments.count > 3 ? arguments[3] : "1"), scale > 0
else {
    FileHandle.standardError.write(Data("usage: DrawnFaces FOLDER [EVERY [SCALE]]\n".utf8))
    exit(64)
}
private let folder = URL(filePath: arguments[1], directoryHint: .isDirectory)
private var labels: [LabelledPicture] = []
for (index, one) in DrawnScene.set.enumerated() where index % every == 0 {
    let scene = DrawnScene(one.kind, number: one.number, scale: scale)
    let picture = LabelledPicture(scene, file: "\(one.kind.rawValue)-\(one.number).png")
    let file = PNGEncoder.encode(pixels: scene.pixels, width: scene.width, height: scene.height)
    try Data(file).write(to: folder.appending(path: picture.file))
    labels.append(picture)
}
try JSONEncoder().encode(labels).write(to: folder.appending(path: "labels.json"))
