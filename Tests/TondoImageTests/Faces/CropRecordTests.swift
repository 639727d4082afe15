import Testing

@testable import TondoImage

/// The text of a crop, which a hostile process may write.
@Suite struct CropRecordTests {
    private static let face = Face(
        origin: Face.Point(x: 10, y: -20), width: 300, height: 400, score: 912,
        landmarks: (0..<5).map { Face.Point(x: $0, y: 2 * $0) })
    private static let record = CropRecord(
        square: PixelRectangle(x: 12, y: 0, width: 50, height: 50), reason: .face, photo: (width: 100, height: 60),
        faces: [face])
    private static let text = "face 12,0,50,100,60 912,10,-20,300,400,0,0,1,2,2,4,3,6,4,8"

    @Test func `A record is read as it was written`() {
        #expect(Self.record.text == Self.text)
        #expect(CropRecord(Self.text) == Self.record)
        #expect(CropRecord("none 0,0,60,100,60")?.faces == [])
    }

    @Test(arguments: [
        "", " ", "face", "face ", "other 12,0,50,100,60", "face 12,0,50,100", "face 12,0,50,100,60,7",
        "face +12,0,50,100,60", "face 012,0,50,100,60", "face 12,0,50,100,60 ", " face 12,0,50,100,60",
        "face 12,0,50,100,60 912,10", "face 12,,0,50,100,60", "face 60,0,50,100,60", "face 12,11,50,100,60",
        "face -1,0,50,100,60", "face 12,0,0,100,60", "face 12,0,50,100,99999999999999999999", text + ",9",
        text.replacing("912", with: "2199023255552"),
    ])
    func `Another text is no record`(_ text: String) { #expect(CropRecord(text) == nil) }

    @Test func `A record has at most sixteen faces, and a text within its limit`() {
        var far = Self.face
        far.origin = Face.Point(x: -(1 << 40) + 1, y: -(1 << 40) + 1)
        far.landmarks = Array(repeating: far.origin, count: 5)
        let faces = Array(repeating: far, count: 40)
        let record = CropRecord(
            square: Self.record.square, reason: .face, photo: (width: 65_500, height: 65_500), faces: faces)
        #expect(record.faces.count == 16)
        #expect(record.text.utf8.count <= CropRecord.longestText)
        #expect(CropRecord(record.text) == record)
    }
}
