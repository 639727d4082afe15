import Testing

/// The drawn pictures themselves.
@Suite struct DrawnSceneTests {
    @Test func `The set is large, and has as many faces as its kinds say`() {
        #expect(DrawnScene.set.count >= 500)
        for (kind, count) in [(DrawnScene.Kind.framed, 1), (.figure, 1), (.pair, 2), (.trio, 3), (.pet, 0)] {
            #expect(DrawnScene(kind, number: 0).faces.count == count)
        }
        #expect(DrawnScene(.group, number: 0).faces.count > 2)
    }

    @Test(arguments: DrawnScene.Kind.allCases)
    func `A kind and a number give one picture`(_ kind: DrawnScene.Kind) {
        let scene = DrawnScene(kind, number: 3)
        #expect(scene.pixels.count == scene.width * scene.height * 4)
        #expect(scene.pixels == DrawnScene(kind, number: 3).pixels)
        #expect(scene.pixels != DrawnScene(kind, number: 4).pixels)
    }

    @Test(arguments: 0..<20)
    func `Eyes are dark where the labels are, at each scale`(_ number: Int) {
        for scale in [1, 2] {
            let scene = DrawnScene(.framed, number: number, scale: scale)
            let face = scene.faces[0]
            for eye in face.landmarks.prefix(2) {
                let cheek = (x: eye.x, y: eye.y + face.box.height * 0.15)
                #expect(scene.brightness(at: eye) < scene.brightness(at: cheek))
            }
        }
    }

    @Test func `The largest face of a group is the first, and is alone of its size`() {
        for number in 0..<DrawnScene.Kind.group.count {
            let heights = DrawnScene(.group, number: number).faces.map(\.box.height)
            #expect(heights.dropFirst().allSatisfy { $0 < heights[0] * 0.6 })
        }
    }
}

extension DrawnScene {
    /// The sum of red, green and blue of a pixel.
    fileprivate func brightness(at place: (x: Float, y: Float)) -> Int {
        let pixel = (Int(place.y) * width + Int(place.x)) * 4
        return pixels[pixel..<pixel + 3].reduce(0) { $0 + Int($1) }
    }
}
