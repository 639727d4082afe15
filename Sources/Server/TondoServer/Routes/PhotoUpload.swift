internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization
internal import TondoAvatars
internal import TondoImage
internal import TondoText

/// The query of a photo that a client sends. Unknown names are ignored; invalid values are errors.
struct PhotoUploadQuery: Equatable {
    var bounds = StorablePhoto.Bounds.usual
    /// Nil: all of the photo.
    var part: PhotoPart?
    /// A preview shows all of the photo, instead of the avatar.
    var isWhole = false

    /// The names, with the permitted values.
    static let rules = [
        "crop": "face, centre, or x,y,width,height in pixels",
        "max-side": "\(StorablePhoto.Bounds.sides.lowerBound) to \(StorablePhoto.Bounds.sides.upperBound)",
        "max-bytes": "\(StorablePhoto.Bounds.sizes.lowerBound) to \(StorablePhoto.Bounds.sizes.upperBound)",
        "whole": "0 or 1",
    ]

    /// `query`: percent-encoded.
    init(_ query: String) throws(ProblemDetails) {
        let values = try AvatarQuery.values(of: query, rules: Self.rules)
        if let crop = values["crop"] {
            guard let part = PhotoPart(crop) else { throw Self.problem("crop") }
            self.part = part
        }
        if let whole = values["whole"] {
            guard whole == "0" || whole == "1" else { throw Self.problem("whole") }
            isWhole = whole == "1"
        }
        bounds.maxSide = try Self.number("max-side", values, in: StorablePhoto.Bounds.sides) ?? bounds.maxSide
        bounds.maxBytes = try Self.number("max-bytes", values, in: StorablePhoto.Bounds.sizes) ?? bounds.maxBytes
    }

    private static func number(
        _ name: String, _ values: [String: String], in range: ClosedRange<Int>
    ) throws(ProblemDetails) -> Int? {
        guard let text = values[name] else { return nil }
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(text), range ~= number else {
            throw problem(name)
        }
        return number
    }

    private static func problem(_ name: String) -> ProblemDetails { .badParameter(name, rules[name] ?? "") }
}

/// The memory of the photos that clients send, all together. Usable from any thread.
final class UploadBudget: Sendable {
    private let taken = Atomic<Int>(0)
    private let limit: Int

    /// `limit`: bytes.
    init(limit: Int = 4 * ConnectionLimits().photoBytes) { self.limit = limit }

    /// False: there is no memory for so many bytes, and none is taken.
    fileprivate func take(_ bytes: Int) -> Bool {
        let now = taken.wrappingAdd(bytes, ordering: .relaxed).newValue
        if now <= limit { return true }
        give(bytes)
        return false
    }

    fileprivate func give(_ bytes: Int) { taken.wrappingSubtract(bytes, ordering: .relaxed) }
}

/// The body of a request, which counts as long as this lives.
final class UploadedBody: Sendable {
    let file: PhotoFile
    private let budget: UploadBudget
    private let count: Int

    deinit { budget.give(count) }

    /// `budget`: has taken these bytes.
    init(_ bytes: [UInt8], budget: UploadBudget) {
        file = PhotoFile(copying: bytes)
        self.budget = budget
        count = bytes.count
    }

    /// Reads the body, of any length that is not known before. Throws the refusal of one that is empty, too long, or does not end.
    static func read(
        _ request: Request, budget: UploadBudget, limit: Int = ConnectionLimits().photoBytes
    ) async throws(ProblemDetails) -> UploadedBody {
        var bytes: [UInt8] = []
        // An array that grows would have twice the memory that the budget counts.
        bytes.reserveCapacity(min(request.announcedLength ?? 0, limit))
        do {
            for try await part in request.body {
                guard bytes.count + part.readableBytes <= limit else { throw RequestRefusal.body }
                guard budget.take(part.readableBytes) else { throw ProblemDetails.uploadsFull }
                bytes.append(contentsOf: part.readableBytesView)
            }
            // A task that is cancelled reads no further, as if that were the end.
            guard !Task.isCancelled, request.announcedLength.map({ $0 == bytes.count }) ?? true else {
                throw RequestRefusal.malformed
            }
        } catch {
            budget.give(bytes.count)
            // The connection ended within the body.
            throw error as? ProblemDetails ?? RequestRefusal.malformed
        }
        guard !bytes.isEmpty else { throw .emptyBody }
        return UploadedBody(bytes, budget: budget)
    }
}

extension Request {
    /// Nil: the body comes in chunks.
    fileprivate var announcedLength: Int? { headers[.contentLength].flatMap { Int($0) } }
}

extension ProblemDetails {
    fileprivate static let emptyBody = ProblemDetails(
        .badRequest, code: "empty-body", detail: "The body must be the photo itself.")
    /// Other clients send so much that there is no memory for more.
    fileprivate static let uploadsFull = ProblemDetails(.serviceUnavailable, code: "uploads-full", retryAfter: 1)
}
