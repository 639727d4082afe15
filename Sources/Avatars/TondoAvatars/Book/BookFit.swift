internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoContacts
package import TondoImage
package import TondoRender

/// Makes the photos of a book that are larger than its readers take smaller. Photos in files and at URLs are left as they are.
/// For one thread, which it blocks.
package struct BookFit {
    private let read: ReadBook
    private let bounds: StorablePhoto.Bounds
    private let limits: Limits

    /// A photo in a card that is over a bound.
    package struct Large: Sendable {
        package let contact: Contact
        package let format: ImageHeader.Format
        /// The size of the upright photo in pixels.
        package let width: Int
        package let height: Int
        package let bytes: Int
    }

    /// What became of a large photo.
    package struct Outcome: Sendable {
        package let large: Large
        /// Nil: it could not be drawn.
        package let photo: StorablePhoto?
        /// The contact's file: absolute, without links.
        package let file: FilePath?
        /// A `RenderError`, or a `ChangeProblem` of all contacts of the file; nil: it is stored, or would be.
        package let problem: (any Error)?
    }

    package init(_ read: ReadBook, within bounds: StorablePhoto.Bounds, limits: Limits = Limits()) {
        self.read = read
        self.bounds = bounds
        self.limits = limits
    }

    /// Reads all photos in cards, and decodes none. Nil: it is within the bounds, or no photo in a card. Throws as `StoredPhoto`.
    package func large(_ contact: Contact) throws -> Large? {
        guard case .inline? = contact.photo, let photo = try StoredPhoto(of: contact, in: read.photos)
        else { return nil }
        let (width, height) = photo.geometry.orientedSize
        guard max(width, height) > bounds.maxSide || photo.byteCount > bounds.maxBytes else {
            return nil
        }
        return Large(
            contact: contact, format: photo.geometry.format, width: width, height: height,
            bytes: photo.byteCount)
    }

    /// Draws the photos and stores them, some files after the other; `report` gets the outcomes by files. All
    /// photos of one file are in memory at once, and the file changes once. `batch`: distinguishes this run in the trash.
    /// `now`: seconds since 1970. `isTrial`: changes nothing. Ends early as `change` does.
    package func fit(
        _ large: [Large], by change: BookChange, workers: RenderWorkers?, batch: String, now: Int,
        isTrial: Bool,
        report: (Outcome) throws -> Void
    ) rethrows {
        for part in Self.parts(of: large) {
            let drawn = draw(part, by: workers, isStopped: change.isStopped)
            var photos: [String: (photo: StorablePhoto, crop: PhotoCrop?)] = [:]
            for (large, result) in zip(part, drawn) {
                guard case .success(let photo) = result else { continue }
                photos[large.contact.id] = (photo, Self.crop(of: large, in: photo))
            }
            let contacts = part.map(\.contact).filter { photos[$0.id] != nil }
            let changes = change.setPhotos(
                .init(photos: photos, batch: batch, now: now, isTrial: isTrial), of: contacts)
            let outcomes = Dictionary(
                changes.map { ($0.contact.id, $0) }, uniquingKeysWith: { first, _ in first })
            for (large, result) in zip(part, drawn) {
                let outcome = outcomes[large.contact.id]
                switch result {
                case .success(let photo):
                    let problem =
                        outcome == nil
                        ? ChangeProblem.book(large.contact.place?.file ?? "", .contactMoved) : outcome?.problem
                    try report(Outcome(large: large, photo: photo, file: outcome?.file, problem: problem))
                case .failure(let error):
                    try report(Outcome(large: large, photo: nil, file: nil, problem: error))
                }
            }
        }
    }

    /// Photos that are drawn before their files change, at least.
    private static let portion = 64

    /// Parts of whole files, in the order in which these come first: once a file has changed, the photos that were found in it
    /// are at other places.
    private static func parts(of large: [Large]) -> [[Large]] {
        let files = Dictionary(
            large.enumerated().map { ($1.contact.place?.file, $0) }, uniquingKeysWith: { first, _ in first })
        let order = large.indices.sorted { one, other in
            let (first, second) = (files[large[one].contact.place?.file], files[large[other].contact.place?.file])
            return (first ?? 0, one) < (second ?? 0, other)
        }
        var parts: [[Large]] = []
        for next in order.map({ large[$0] }) {
            let isSameFile = parts.last?.last?.contact.place?.file == next.contact.place?.file
            if let last = parts.last, isSameFile || last.count < portion {
                parts[parts.count - 1].append(next)
            } else {
                parts.append([next])
            }
        }
        return parts
    }

    /// As many at once as there are workers and processors.
    private func draw(
        _ part: [Large], by workers: RenderWorkers?, isStopped: @Sendable () -> Bool
    ) -> [Result<StorablePhoto, any Error>] {
        let results = Mutex<[Int: Result<StorablePhoto, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: part.count) { [read, bounds, limits] index in
            // A photo with too many pixels may have few bytes: those of a better quality would make its card larger.
            var own = bounds
            own.maxBytes = min(bounds.maxBytes, part[index].bytes)
            let fitting = PhotoFitting(within: own, limits: limits)
            let result = Result<StorablePhoto, any Error> {
                if isStopped() { throw ChangeProblem.interrupted }
                guard let photo = try StoredPhoto(of: part[index].contact, in: read.photos) else {
                    throw PhotoProblem.book(.photoChanged)
                }
                return try fitting.photo(photo.file) { workers }
            }
            results.withLock { $0[index] = result }
        }
        let found = results.withLock { $0 }
        return part.indices.map { found[$0] ?? .failure(PhotoProblem.book(.photoChanged)) }
    }

    /// The part that the contact shows, in the smaller photo.
    private static func crop(of large: Large, in photo: StorablePhoto) -> PhotoCrop? {
        guard case .inline(_, let crop?)? = large.contact.photo else { return nil }
        let width = photo.geometry.orientedSize.width
        func scaled(_ length: Int) -> Int {
            Int((Double(length) * Double(width) / Double(large.width)).rounded())
        }
        return PhotoCrop(
            x: scaled(crop.x), y: scaled(crop.y), width: max(scaled(crop.width), 1),
            height: max(scaled(crop.height), 1))
    }
}
