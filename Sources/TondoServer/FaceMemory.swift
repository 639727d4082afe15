internal import NIOHTTP1

/// Faces that were asked for lately, ready to be written.
final class FaceMemory: Sendable {
    func answer(_ head: HTTPRequestHead, guard requestGuard: RequestGuard) -> FastAnswer? { nil }
}
