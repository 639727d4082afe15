internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TondoAvatars
internal import TondoCache
internal import TondoContacts
internal import TondoFiles
internal import TondoImage
internal import TondoRedis

/// The contacts of one run on their way: into jobs, and from results into events. For one thread.
final class EnqueuePublisher {
    /// What a job is for.
    struct Purpose {
        var contact: Contact
        var photo: ShownPhoto
        var tries = 0
        /// A temporary one.
        var blob: String?
    }

    let run: EnqueueRun
    let stream: JobStream
    let blobs: PhotoBlobs?
    private let name: String
    private let photos: BookPhotos
    private let styles: [AvatarStyle]
    private let set: StyleSet
    /// Results, and jobs to look for, of one call.
    private static let page = 500
    private(set) var summary = LoadSummary()
    var jobs = PublishedJobs()
    private var purposes: [Int: Purpose] = [:]
    private var isUnreachable = false
    private var isRefused = false
    private var published = 0
    /// Published, taken or not.
    private var batches = 0
    private var blobsStored = 0
    var lastResult = ContinuousClock.now
    private var lastCounts = ContinuousClock.now

    init(_ run: EnqueueRun, stream: JobStream, blobs: PhotoBlobs?, run name: String, photos: BookPhotos) {
        self.run = run
        self.stream = stream
        self.blobs = blobs
        self.name = name
        self.photos = photos
        styles = run.options.styles
        set = run.pipeline.styles(styles.map(\.style))
    }

    // MARK: Contacts

    func load(_ contact: Contact, at index: Int) throws(EnqueueRun.Failure) {
        summary.contacts += 1
        run.report(.contact(index: index, contact))
        add(ShownPhoto(of: contact, in: photos, else: run.pipeline.options.initials), of: contact)
        try publish(isLast: false)
    }

    func fail(_ contact: FailedContact) {
        summary.failed += 1
        run.report(.contactFailed(contact))
    }

    private func add(_ photo: ShownPhoto, of contact: Contact, tries: Int = 0) {
        let purpose = Purpose(contact: contact, photo: photo, tries: tries)
        // All contacts without letters share it: after the first, the cache has it.
        if photo.kind == .silhouette { return draw(purpose) }
        do throws(AvatarFailure) {
            switch try run.pipeline.plan(AvatarRequest(photo, styles: set)) {
            case .stored(let avatars): show(avatars, purpose)
            case .missing(let planned): add(planned, for: purpose)
            }
        } catch { fail(purpose, code: error.code, message: error.message) }
    }

    /// A photo that workers cannot reach is drawn here.
    private func add(_ planned: AvatarPipeline.PlannedPhoto, for purpose: Purpose) {
        var purpose = purpose
        let source: DrawJob.Source
        if purpose.photo.kind == .initials, let letters = try? planned.bytes(limit: DrawJob.longestField) {
            source = .initials(letters)
        } else if let path = photos.file(of: purpose.contact), path.absolute.string.utf8.count <= DrawJob.longestField {
            source = .file(path.absolute.string)
        } else if let key = blob(planned) {
            source = .blob(key)
            purpose.blob = key
        } else {
            return draw(purpose)
        }
        let number = jobs.add { number in
            DrawJob(
                run: run.options.follow ? name : "", number: number, contact: purpose.contact.id,
                digest: planned.digest,
                crop: planned.crop, source: source, styles: styles.map(\.style))
        }
        if run.options.follow { purposes[number] = purpose }
    }

    private func blob(_ photo: AvatarPipeline.PlannedPhoto) -> String? {
        guard let blobs, let bytes = try? photo.bytes(limit: run.pipeline.options.limits.maxMemory),
            bytes.count <= PhotoBlobs.largest
        else { return nil }
        // Not the photo's digest: another job with the same photo, of this run or another one, would lose its copy with this one.
        blobsStored += 1
        return try? blobs.store(bytes, name: "\(name):\(blobsStored)")
    }

    private func draw(_ purpose: Purpose) {
        let done = DispatchSemaphore(value: 0)
        let drawn = Mutex<Result<[Avatar], AvatarFailure>?>(nil)
        var request = AvatarRequest(purpose.photo, styles: set)
        request.omitsBytes = true
        run.pipeline.avatars(request, .wait) { result in
            drawn.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        switch drawn.withLock({ $0 }) {
        case .success(let avatars): show(avatars, purpose)
        case .failure(let failure): fail(purpose, code: failure.code, message: failure.message)
        case nil: break
        }
    }

    // MARK: Results

    func take(_ result: JobResult) {
        // One that came twice.
        guard let job = jobs.end(result.number), let purpose = purposes.removeValue(forKey: job.number) else { return }
        lastResult = .now
        guard let code = result.code else {
            if let blob = purpose.blob { try? blobs?.remove(blob) }
            return show(result.avatars, purpose)
        }
        // Another photo may be there by now.
        if code == JobResult.photoGone, purpose.tries < PublishedJobs.mostTries {
            return add(purpose.photo, of: purpose.contact, tries: purpose.tries + 1)
        }
        fail(purpose, code: code, message: result.message)
    }

    private func show(_ avatars: [Avatar], _ purpose: Purpose) {
        show(
            avatars.map {
                JobResult.Avatar(
                    key: $0.key.hexadecimal, isDrawn: $0.source == .rendered, milliseconds: $0.milliseconds)
            }, purpose)
    }

    private func show(_ avatars: [JobResult.Avatar], _ purpose: Purpose) {
        for (avatar, style) in zip(avatars, styles) {
            var shown = PreparedAvatar(
                contact: purpose.contact.id, style, key: avatar.key, kind: purpose.photo.kind, isDrawn: avatar.isDrawn,
                milliseconds: avatar.milliseconds)
            shown.tally.ready = 1
            summary.avatars += 1
            if avatar.isDrawn { summary.rendered += 1 } else { summary.cached += 1 }
            run.report(.avatar(shown))
        }
    }

    /// Shows the contact what is next, if anything is.
    private func fail(_ purpose: Purpose, code: String, message: String) {
        if purpose.photo.kind != .initials { summary.failed += 1 }
        if purpose.photo.kind == .photo {
            var failure = FailedAvatar(purpose.contact.id, code: code, message: message)
            failure.tally.failed = 1
            run.report(.avatarFailed(failure))
        }
        // The workers drew it: what they lack says nothing of the initials that are drawn here.
        guard let next = purpose.photo.next(run.pipeline.options.initials) else { return }
        add(next, of: purpose.contact)
    }

    // MARK: The stream

    /// Publishes what waits; `isLast`: also less than a batch.
    func publish(isLast: Bool) throws(EnqueueRun.Failure) {
        while !run.isGone, jobs.waitingCount >= (isLast ? 1 : run.options.batch) {
            let waiting = jobs.batch(run.options.batch)
            let batch = JobStream.Batch(name, number: batches)
            batches += 1
            let ids: [String]
            do throws(JobStreamError) {
                ids = try reaching { () throws(JobStreamError) in try stream.publish(waiting, as: batch) }
            } catch {
                guard case .full(let length) = error, !run.options.failsWhenFull else {
                    throw .stream(error, published: published)
                }
                run.notice(.full(length: length))
                if !collect() { pause(.milliseconds(50)) }
                continue
            }
            jobs.published(ids)
            published += ids.count
            if !run.options.follow { jobs.forgetPublished() }
            run.notice(.published(published))
            collect()
            // Those that Redis lost wait to be published again here, so they must not count.
            while run.options.follow, jobs.count - jobs.waitingCount >= run.options.window, !run.isGone {
                if !collect() { pause(.milliseconds(10)) }
                republish()
            }
        }
    }

    func finish() throws(EnqueueRun.Failure) {
        lastResult = .now
        repeat {
            try publish(isLast: true)
            guard run.options.follow, jobs.count > 0 else { continue }
            if !collect() { pause(.milliseconds(10)) }
            republish()
        } while jobs.count > 0 && !run.isGone
        _ = try? stream.forget(name)
    }

    /// Takes the results that have come. False: there were none.
    @discardableResult
    private func collect() -> Bool {
        guard run.options.follow else { return false }
        if ContinuousClock.now - lastCounts > .milliseconds(500) {
            lastCounts = .now
            if let counts = try? stream.counts() { run.notice(.counts(counts)) }
        }
        let results: [JobResult]
        do throws(JobStreamError) {
            results = try reaching { () throws(JobStreamError) in try stream.results(of: name, count: Self.page) }
            isRefused = false
        } catch {
            if !run.isGone, !isRefused { run.notice(.unreachable(error)) }
            isRefused = true
            return false
        }
        for result in results { take(result) }
        return !results.isEmpty
    }

    /// After a while without a result: jobs that Redis lost are published again. A job leaves the stream together with its
    /// result, so the results that are there must be taken before their jobs count as lost; later ones are of other jobs.
    private func republish() {
        guard ContinuousClock.now - lastResult > run.options.recheck else { return }
        lastResult = .now
        let ids = jobs.oldest(Self.page)
        guard let missing = try? stream.missing(ids), !missing.isEmpty else { return }
        guard collectPresent() else { return }
        let waiting = jobs.waitingCount
        for job in jobs.vanished(missing) {
            guard let purpose = purposes.removeValue(forKey: job.number) else { continue }
            fail(purpose, code: "job-lost", message: "Redis lost the job \(PublishedJobs.mostTries) times")
        }
        if jobs.waitingCount > waiting { run.notice(.again(jobs.waitingCount - waiting)) }
        // The others are looked at soon, too.
        if ids.count == Self.page { lastResult = .now - run.options.recheck }
    }

    /// Takes the results that are there now, however many keep coming. False: they are not known.
    private func collectPresent() -> Bool {
        guard let count = try? stream.countResults(of: name) else { return false }
        for _ in 0..<(count + Self.page - 1) / Self.page {
            guard let results = try? stream.results(of: name, count: Self.page) else { return false }
            for result in results { take(result) }
        }
        return true
    }

    /// Repeats a call until Redis can be reached, or the run is cancelled.
    private func reaching<Result>(_ body: () throws(JobStreamError) -> Result) throws(JobStreamError) -> Result {
        var delay = Duration.milliseconds(50)
        while true {
            do throws(JobStreamError) {
                let result = try body()
                isUnreachable = false
                return result
            } catch {
                guard case .redis(let reason) = error, reason.isTemporary, !run.isGone else { throw error }
                if !isUnreachable { run.notice(.unreachable(error)) }
                isUnreachable = true
            }
            pause(delay)
            delay = min(delay * 2, .seconds(1))
        }
    }

    private func pause(_ time: Duration) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    }
}
