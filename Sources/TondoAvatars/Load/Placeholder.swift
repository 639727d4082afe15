internal import Synchronization
internal import TondoImage
internal import TondoJobs

/// The face of everybody who has none: asked for once, however many show it.
final class Placeholder: Sendable {
    private let pipeline: AvatarPipeline
    private let set: StyleSet
    private let known = Mutex<[Face]?>(nil)

    init(_ pipeline: AvatarPipeline, _ set: StyleSet) { (self.pipeline, self.set) = (pipeline, set) }

    func faces(_ completion: @escaping AvatarPipeline.Completion) {
        if let faces = known.withLock({ $0 }) { return completion(.success(faces)) }
        var request = AvatarRequest(PhotoFile(copying: Silhouette.photo), styles: set)
        request.priority = .visible
        pipeline.facesWhenRoom(request) { result in
            completion(result.map { self.remember($0) })
        }
    }

    /// From now on they are at hand. Only the first who asked is told that they were drawn.
    private func remember(_ faces: [Face]) -> [Face] {
        let kept = faces.map { face in
            var face = face
            if face.isStored { (face.source, face.milliseconds, face.png) = (.cache, 0, []) }
            return face
        }
        return known.withLock { known in
            if let known { return known }
            known = kept
            return faces
        }
    }
}
