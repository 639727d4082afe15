internal import Dispatch
internal import Synchronization
package import SystemPackage
package import TondoAvatars
internal import TondoContacts
internal import TondoImage
internal import TondoRedis

/// Loads a book by publishing its avatars as jobs: `tondo load BOOK --enqueue`.
///
/// What is in the cache here is not published. With `follow`, a run keeps its jobs until they have results, publishes again what
/// Redis lost, and reports the same events as a load. One thread; `cancel` is for any other.
package final class EnqueueRun: Sendable {
    package struct Options: Sendable {
        package var styles: [AvatarStyle] = []
        /// Waits for the results.
        package var follow = true
        /// A full stream ends the run; else it waits for room.
        package var failsWhenFull = false
        /// Jobs without a result at a time; bounds the memory of a run.
        package var window = 10_000
        package var batch = 100
        /// Without a result for so long, a run looks whether its jobs are still there.
        package var recheck = Duration.seconds(2)

        package init() {}
    }

    package enum Failure: Error {
        /// The book cannot be read.
        case book(LoadError)
        /// The stream is full, and the run is not to wait; so many jobs were published before.
        case stream(JobStreamError, published: Int)
    }

    /// What the run says besides events.
    package enum Notice: Sendable {
        /// It goes on, and tries again.
        case unreachable(JobStreamError)
        case full(length: Int)
        case published(Int)
        /// Jobs that are published again, because they vanished.
        case again(Int)
        case counts(JobStream.Counts)
    }

    let pipeline: AvatarPipeline
    let options: Options
    let report: @Sendable (LoaderEvent) -> Void
    let notice: @Sendable (Notice) -> Void
    private let isCancelled = Atomic<Bool>(false)

    package init(
        _ pipeline: AvatarPipeline, _ options: Options, report: @escaping @Sendable (LoaderEvent) -> Void,
        notice: @escaping @Sendable (Notice) -> Void = { _ in }
    ) {
        self.pipeline = pipeline
        self.options = options
        self.report = report
        self.notice = notice
    }

    /// Publishes no more, and waits no longer. What is in the stream is drawn all the same.
    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// `cancel` was called.
    package var isGone: Bool { isCancelled.load(ordering: .relaxed) }

    /// Blocks until every contact has its avatars, or is published without `follow`. `run`: unique.
    package func load(
        _ path: FilePath, run: String, to stream: JobStream, blobs: PhotoBlobs?
    ) throws(Failure) -> LoadSummary {
        let start = ContinuousClock.now
        let book: AddressBook
        let scan: BookScan
        do throws(ContactsError) {
            book = try AddressBook(path)
            scan = try book.scan()
        } catch { throw .book(LoadError(error, path)) }
        report(.total(scan.total))
        let photos = BookPhotos(book, scan: scan, fetched: pipeline.options.fetchedPhotos)
        let publisher = EnqueuePublisher(self, stream: stream, blobs: blobs, run: run, photos: photos)
        var index = 0
        var failure: Failure?
        book.read(scan) { item in
            do throws(Failure) {
                switch item {
                case .success(let contact):
                    try publisher.load(contact, at: index)
                    index += 1
                case .failure(let problem): publisher.fail(FailedContact(problem))
                }
            } catch { failure = error }
            return failure == nil && !isGone
        }
        if failure == nil { do throws(Failure) { try publisher.finish() } catch { failure = error } }
        if let failure { throw failure }
        var summary = publisher.summary
        summary.milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        if !isGone { report(.finished(summary)) }
        return summary
    }
}
