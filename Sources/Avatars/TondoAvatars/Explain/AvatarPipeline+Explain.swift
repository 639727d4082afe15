internal import TondoCache
internal import TondoImage
internal import TondoJobs

extension AvatarPipeline {
    /// Explains each avatar of a request as it would be answered now: opens the photo, but draws nothing. None without a
    /// cache. Calls `completion` once, on a worker of the open queue, or on this thread if the request is refused.
    package func explain(
        _ request: AvatarRequest,
        completion: @escaping @Sendable (Result<[CacheExplainer.Explanation], AvatarFailure>) -> Void
    ) {
        guard let cache else { return completion(.success([])) }
        let explainer = CacheExplainer(
            cache: cache, shared: options.shared, styles: request.styles.styles, limits: options.limits,
            hasFaceModel: options.hasFaceModel)
        let open = open(request, isExplained: true) { .explained(try $0.explain(by: explainer)) }
        recordActivity()
        do {
            _ = try openQueue.submit(open) { completion(Self.explanations($0, of: request.styles.styles)) }
        } catch { completion(.failure(AvatarFailure(error))) }
    }

    /// A failure of the photo is an explanation.
    private static func explanations(
        _ result: Result<OpenResult, JobError>, of styles: [Style]
    ) -> Result<[CacheExplainer.Explanation], AvatarFailure> {
        switch result {
        case .success(.explained(let explanations)): return .success(explanations)
        case .success: preconditionFailure("an explanation shares its job with no other request")
        case .failure(.failed(let error as RenderError)):
            return .success(styles.map { .init(style: $0, verdict: .undrawable(error)) })
        case .failure(.failed(let error as CacheError)): return .failure(AvatarFailure(error))
        case .failure(let error):
            let failure = AvatarFailure(error)
            if failure.isTransient { return .failure(failure) }
            // Its words can name files.
            return .success(styles.map { .init(style: $0, verdict: .unopenable(code: failure.code)) })
        }
    }
}

extension AvatarJob {
    /// By the keys that drawing would use, and the negative entry that drawing would look up.
    fileprivate func explain(by explainer: CacheExplainer) throws -> [CacheExplainer.Explanation] {
        let failure = negativeEntry
        return try explained.map { style, recipe, crop in
            guard let parsed = Recipe(recipe.text) else { return .init(style: style, verdict: .miss) }
            return try explainer.explanation(
                of: style, recipe: parsed, key: recipe.key, contact: request.contact, failure: failure, crop: crop)
        }
    }
}
