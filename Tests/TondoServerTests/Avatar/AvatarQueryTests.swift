import Testing
import TondoAvatars
import TondoImage

@testable import TondoServer

@Suite struct AvatarQueryTests {
    @Test func `Nothing asked for is 96 points without a ring, and waited for`() throws {
        let query = try AvatarQuery("", styles: [:])
        #expect(query.style == Style(size: 96) && query.key == nil && query.waits)
    }

    @Test func `Names that are not known are ignored, escaped ones are read`() throws {
        let query = try AvatarQuery("a=b&%73ize=4%38&c&&=&SIZE=0", styles: [:])
        #expect(query.style == Style(size: 48))
    }

    @Test func `A style's query leads back to the style`() throws {
        var own = Style(size: 30, ring: Style.Ring(width: 3, gap: 0, color: .selection))
        own.background = .selection
        own.crop = .top
        for named in [
            AvatarStyle(size: 20), AvatarStyle("a", size: 20, scale: 3, isSelectable: true),
            AvatarStyle("b", size: 20, scale: 2, isSelected: true),
            AvatarStyle("own-style", size: 20, crop: .top), AvatarStyle(own, name: "own-style"),
        ] {
            #expect(try AvatarQuery(AvatarQuery.text(of: named), styles: ["own-style": named]).style == named.style)
        }
    }
}
