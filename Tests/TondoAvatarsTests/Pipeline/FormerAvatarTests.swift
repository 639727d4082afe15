import Synchronization
import SystemPackage
import Testing
import TondoCache
import TondoFiles
import TondoImage
import TondoTestSupport

@testable import TondoAvatars

/// What is shown of a contact while its avatar is drawn.
@Suite(.timeLimit(.minutes(15))) struct FormerAvatarTests {
    private let folder: TemporaryFolder
    private let pipeline: AvatarPipeline
    private let style = Style(size: 16)

    init() throws {
        folder = try TemporaryFolder()
        pipeline = AvatarPipeline(cache: try AvatarCache(folder.path.appending("cache")))
    }

    private func request(_ shade: UInt8, contact: String = "ada") -> AvatarRequest {
        var request = AvatarRequest(
            .bytes(PhotoFile(copying: SmallBook.image(shade))), contact: contact, styles: pipeline.styles([style]))
        request.findsFormer = true
        return request
    }

    /// Stores what the renderer before this one drew of the contact's photo.
    private func storeFormer(_ shade: UInt8) throws -> CacheKey {
        let job = try AvatarJob(request(shade), cache: nil, limit: Limits().maxMemory)
        let now = "renderer=\(AvatarRecipe.rendererVersion)"
        let recipe = job.explained[0].recipe.text.replacing(
            now, with: "renderer=\(AvatarRecipe.rendererVersion - 1)")
        let key = CacheKey(recipe: recipe)
        try SmallBook.image(shade).withUnsafeBytes { photo in
            _ = try AvatarRenderer(styles: [style], limits: Limits()).encode(
                Photo(photo), styles: [0], text: { _ in (AvatarRecipe.keyword, recipe) },
                body: { avatar, _ in
                    try pipeline.cache?.store(avatar, key: key, cost: 1, contacts: ["ada"])
                })
        }
        return key
    }

    /// What the request may show while the avatar is drawn; the outer nil: it did not have to wait.
    private func shown(_ request: AvatarRequest) async -> Avatar?? {
        let former = Mutex<Avatar??>(nil)
        await withCheckedContinuation { done in
            pipeline.avatars(request, onSlow: { avatar in former.withLock { $0 = .some(avatar) } }) { _ in
                done.resume()
            }
        }
        return former.withLock { $0 }
    }

    @Test func `After an update the avatar from before is shown until the new one is drawn`() async throws {
        let key = try storeFormer(1)
        let shown = try #require(await shown(request(1)))
        let former = try #require(shown)
        #expect(former.key == key && former.source == .cache && !former.bytes.isEmpty)
        #expect(await self.shown(request(1)) == nil)
    }

    @Test func `The avatar of another photo, or of another contact, is never shown`() async throws {
        _ = try storeFormer(1)
        let ofAnotherPhoto = try #require(await shown(request(2)))
        let ofAnotherContact = try #require(await shown(request(1, contact: "bo")))
        #expect(ofAnotherPhoto == nil && ofAnotherContact == nil)
    }
}
