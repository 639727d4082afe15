import Testing
import TondoImage
import TondoText

@testable import TondoAvatars

@Suite struct CropReportTests {
    /// A JPEG of 40 x 30 pixels whose upright picture is 30 x 40.
    private let turned = PhotoGeometry(packed: 2 << 60 | 1 << 56 | 6 << 48 | 40 << 24 | 30)

    private func json(_ report: CropReport) throws -> String {
        String(decoding: try JSONReport.encode(report), as: UTF8.self)
    }

    @Test func `A face is in pixels with two decimals, and its square in whole ones`() throws {
        #expect(
            try json(CropReport(SampleCrop.face)) == """
                {"x":412,"y":96,"side":612,"by":"face","photo":{"width":4032,"height":3024},"faces":[{"x":1534.5,"y":781.27,\
                "width":319.75,"height":401.02,"score":0.931,"landmarks":[[1600,900.02],[1740,900],[1670,980],[1610,1050],\
                [1730,-0.02]]}]}
                """)
    }

    @Test func `Each reason of a record has its word`() {
        for reason in CropRecord.Reason.allCases {
            var record = SampleCrop.face
            record.reason = reason
            #expect(CropReport(record).by.rawValue == reason.rawValue)
        }
    }

    @Test func `A photo in which a face was looked for in vain has no faces, not none to tell of`() throws {
        var record = SampleCrop.face
        record.reason = .none
        record.faces = []
        let text = try json(CropReport(record))
        #expect(text.contains(#""by":"none""#) && text.hasSuffix(#","faces":[]}"#))
    }

    @Test(arguments: [Style.Crop.centre, .face, .top])
    func `Without faces the square is the one that was asked for, upright`(_ style: Style.Crop) throws {
        let report = CropReport(try #require(turned), contact: nil, style: style)
        #expect(report.by == (style == .top ? .top : .centre))
        #expect((report.x, report.y, report.side) == (0, style == .top ? 0 : 5, 30))
        #expect(report.photo == .init(width: 30, height: 40))
        #expect(report.faces == nil)
    }

    @Test func `The contact's crop comes first, and counts from the top here`() throws {
        let crop = CropRectangle(x: 2, y: 3, width: 10, height: 12)
        let report = CropReport(try #require(turned), contact: crop, style: .top)
        #expect(report.by == .contact)
        #expect((report.x, report.y, report.side) == (2, 26, 10))
    }

    @Test func `A crop beside the photo counts as none`() throws {
        let crop = CropRectangle(x: 300, y: 3, width: 10, height: 12)
        #expect(CropReport(try #require(turned), contact: crop, style: .top).by == .top)
    }
}

/// What is found in photos, without a detector.
enum SampleCrop {
    /// One face that moved the square.
    static let face = CropRecord(
        square: PixelRectangle(x: 412, y: 96, width: 612, height: 612), reason: .face, photo: (4032, 3024),
        faces: [
            Face(
                origin: Face.Point(x: 98_208, y: 50_001), width: 20_464, height: 25_665, score: 931,
                landmarks: [(102_400, 57_601), (111_360, 57_600), (106_880, 62_720), (103_040, 67_200), (110_720, -1)]
                    .map { Face.Point(x: $0.0, y: $0.1) })
        ])
}
