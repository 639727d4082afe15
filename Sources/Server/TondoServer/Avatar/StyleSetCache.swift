internal import Synchronization
internal import TondoAvatars
internal import TondoImage

/// A cache of recently requested style sets, because preparing one is not free. Usable from any thread.
final class StyleSetCache: Sendable {
    private let pipeline: AvatarPipeline
    private let sets = Mutex(LRUCache<Style, StyleSet>(limit: 64))

    init(_ pipeline: AvatarPipeline) { self.pipeline = pipeline }

    func set(_ style: Style) -> StyleSet {
        if let set = sets.withLock({ $0.get(style) }) { return set }
        let set = pipeline.styles([style])
        sets.withLock { _ = $0.put(set, for: style) }
        return set
    }
}
