internal import TondoCache
internal import TondoImage

extension AvatarPipeline {
    /// Explains each avatar of a request as it would be answered now: opens the photo, but draws nothing. None without a
    /// cache. Blocks, for the time limit of a photo at most.
    package func explain(_ request: AvatarRequest) throws -> [CacheExplainer.Explanation] {
        guard let cache else { return [] }
        let styles = request.styles.styles
        do {
            // A photo whose folder hangs must not take the threads of all who ask.
            let job = try opening(request.photo) {
                try AvatarJob(request, cache: cache, limit: options.limits.maxMemory)
            }
            return try job.explain(by: CacheExplainer(cache, styles: styles, limits: options.limits))
        } catch let error as RenderError {
            return styles.map { .init(style: $0, verdict: .undrawable(error)) }
        } catch let error as CacheError {
            throw error
        } catch {
            // Its words can name files.
            return styles.map { .init(style: $0, verdict: .unopenable(code: AvatarFailure(error).code)) }
        }
    }
}

extension AvatarJob {
    /// By the keys that drawing would use, and the negative entry that drawing would look up.
    fileprivate func explain(by explainer: CacheExplainer) throws -> [CacheExplainer.Explanation] {
        let failure = negativeEntry
        return try explained.map { style, recipe in
            guard let parsed = Recipe(recipe.text) else { return .init(style: style, verdict: .miss) }
            return try explainer.explanation(
                style, parsed, key: recipe.key, contact: request.contact, failure: failure)
        }
    }
}
