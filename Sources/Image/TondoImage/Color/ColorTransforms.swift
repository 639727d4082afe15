internal import Synchronization

/// A cache of transforms: photos of one phone carry the same profile, and creating a transform costs more than using
/// it. Shared by all threads.
final class ColorTransforms: Sendable {
    private struct Key: Equatable {
        var profile: EmbeddedProfile
        var space: ColorTransform.Space
    }

    private static let capacity = 8
    /// Most recently used last.
    private let recent = Mutex<[(key: Key, transform: ColorTransform)]>([])

    func transform(
        for profile: EmbeddedProfile, space: ColorTransform.Space
    ) throws(ColorTransform.Failure) -> ColorTransform {
        let key = Key(profile: profile, space: space)
        if let found = find(key) { return found }
        // Outside of the lock: other photos would wait. Two threads may make equal ones, which does no harm.
        let made = try ColorTransform(profile: profile, space: space)
        recent.withLock { list in
            if list.count >= Self.capacity { list.removeFirst() }
            list.append((key, made))
        }
        return made
    }

    private func find(_ key: Key) -> ColorTransform? {
        recent.withLock { list in
            guard let index = list.firstIndex(where: { $0.key == key }) else { return nil }
            let found = list.remove(at: index)
            list.append(found)
            return found.transform
        }
    }
}
