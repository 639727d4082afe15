internal import FoundationEssentials
internal import TondoCache
internal import TondoImage

/// The tier that other instances share.
extension CachingRenderer {
    /// An avatar of the shared tier, and whether the cache has it now.
    typealias Fetched = (avatar: StoredAvatar, isStored: Bool)

    /// Takes these avatars, which the cache lacks, from the shared tier into the cache. Nil if the tier lacks any of them;
    /// what it has is in the cache all the same. `later`: the cache gets them after their second use, or not at all while too
    /// many wait for that.
    func fetch(_ missing: Set<CacheKey>, for contact: String?, later: Bool) -> [CacheKey: Fetched]? {
        guard let shared else { return nil }
        let found = shared.avatars(Array(missing))
        let kept: [(CacheKey, Fetched)] = found.map { key, sealed in
            guard later, let deferred else { return (key, (sealed.avatar, keep(sealed, as: key, for: contact))) }
            deferred.add(sealed, as: key, for: contact)
            return (key, (sealed.avatar, false))
        }
        return found.count == missing.count ? Dictionary(uniqueKeysWithValues: kept) : nil
    }

    /// What other instances have of the missing avatars goes to `body`, and is missing no more. The lock of the rest is taken
    /// for the returned drawing, unless there is no answer, or `wait` was too long. Throws `DrawnElsewhere`, or a
    /// `NegativeEntryError` for what another instance failed at.
    func share(
        _ missing: inout [Int], in shared: SharedTier, of subject: Subject, recipes: [AvatarRecipe], isFresh: Bool,
        wait: SharedWait?, body: (Output, Int) throws -> Void
    ) throws -> SharedDrawing {
        if isFresh { return SharedDrawing(shared, lock: nil) }
        let claim = shared.claim(missing.map { recipes[$0].key }, of: decoding(subject), locking: wait != nil)
        let drawing = SharedDrawing(shared, lock: claim.lock)
        do {
            try take(claim.avatars, missing: &missing, of: subject, recipes: recipes, body: body)
            if missing.isEmpty { return drawing }
            if let failure = claim.failure, failure.holds(at: Date(), memoryLimit: limits.maxMemory) {
                shared.count { $0.failures += 1 }
                throw NegativeEntryError(failure: failure)
            }
            if claim.isElsewhere, let wait, wait.waits(shared) { throw DrawnElsewhere() }
        } catch {
            drawing.end()
            throw error
        }
        return drawing
    }

    private func take(
        _ found: [CacheKey: SealedAvatar], missing: inout [Int], of subject: Subject, recipes: [AvatarRecipe],
        body: (Output, Int) throws -> Void
    ) throws {
        for index in missing {
            let key = recipes[index].key
            guard let sealed = found[key] else { continue }
            let isStored = keep(sealed, as: key, for: subject.contact)
            if isStored, let entry = open(key, for: nil) {
                try body(.stored(entry), index)
            } else {
                try body(.drawn(sealed.avatar.bytes, isStored: false), index)
            }
        }
        missing.removeAll { found[recipes[$0].key] != nil }
    }

    private func keep(_ sealed: SealedAvatar, as key: CacheKey, for contact: String?) -> Bool {
        let contacts = contact.map { [$0] } ?? []
        return (try? cache?.store(sealed.avatar.bytes, key: key, cost: sealed.cost, contacts: contacts)) != nil
    }

    /// `life`: seconds after which a retry makes sense; nil: not before the photo's bytes change.
    func sharedFailure(_ error: RenderError, decoding: String, memoryLimit: Int?, life: Int?) -> Failure {
        let now = Date()
        return Failure(
            subject: decoding, stage: error.stage.rawValue, code: error.error.code, reason: error.description,
            memoryLimit: memoryLimit, since: now, until: life.map { now.addingTimeInterval(Double($0)) })
    }
}
