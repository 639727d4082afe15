internal import Dispatch
internal import Synchronization
public import TondoContacts

/// Receives the events of a loader, on the given queue, one call at a time, in the order of `LoaderEvent`.
public protocol ContactLoaderDelegate: AnyObject, Sendable {
    /// The number of contacts in the book; the first call.
    func loader(_ loader: ContactLoader, didLoadTotal total: Int)
    /// `index`: the contact's place in the book, from 0.
    func loader(_ loader: ContactLoader, didLoad contact: Contact, at index: Int)
    /// An avatar is ready; its contact was loaded before.
    func loader(_ loader: ContactLoader, didPrepare avatar: PreparedAvatar)
    /// A photo gives no avatar; its contact gets its initials, or a silhouette.
    func loader(_ loader: ContactLoader, didFail avatar: FailedAvatar)
    /// The first pass is finished.
    func loader(_ loader: ContactLoader, didFinish summary: LoadSummary)
    /// A contact is unreadable. The default does nothing.
    func loader(_ loader: ContactLoader, didFail contact: FailedContact)
    /// A contact is new, changed or moved; `index`: as in `LoaderEvent.contactChanged`. The default does nothing.
    func loader(_ loader: ContactLoader, didChange contact: Contact, at index: Int)
    /// A contact was removed. The default does nothing.
    func loader(_ loader: ContactLoader, didRemoveContact id: String)
    /// The whole book is unreadable. The default does nothing.
    func loader(_ loader: ContactLoader, didStop error: LoadError)
}

extension ContactLoaderDelegate {
    /// Does nothing.
    public func loader(_ loader: ContactLoader, didFail contact: FailedContact) {}
    /// Does nothing.
    public func loader(_ loader: ContactLoader, didChange contact: Contact, at index: Int) {}
    /// Does nothing.
    public func loader(_ loader: ContactLoader, didRemoveContact id: String) {}
    /// Does nothing.
    public func loader(_ loader: ContactLoader, didStop error: LoadError) {}
}

/// Delivers events to a weakly referenced delegate.
final class DelegateDispatcher: Sendable {
    private let queue: DispatchQueue
    private let ends: Mutex<Ends>
    /// The maximum number of pending calls on the delegate's queue.
    private let room = DispatchSemaphore(value: 256)

    private struct Ends {
        weak var loader: ContactLoader?
        weak var delegate: (any ContactLoaderDelegate)?
        var run: LoadRun?
        var isOver = false
    }

    init(loader: ContactLoader, delegate: any ContactLoaderDelegate, queue: DispatchQueue) {
        self.queue = queue
        ends = Mutex(Ends(loader: loader, delegate: delegate))
    }

    /// Keeps the load, which is cancelled with the delegate, unless it is finished already.
    func follow(_ run: LoadRun) { ends.withLock { $0.run = $0.isOver ? nil : run } }

    private func end() {
        ends.withLock { ends in
            ends.run = nil
            ends.isOver = true
        }
    }

    func deliver(_ event: LoaderEvent?) {
        guard let event else { return end() }
        room.wait()
        queue.async {
            self.call { $0.deliver(event, from: $1) }
            self.room.signal()
        }
    }

    func fail(_ error: LoadError) {
        queue.async { self.call { $0.loader($1, didStop: error) } }
        end()
    }

    private func call(_ body: (any ContactLoaderDelegate, ContactLoader) -> Void) {
        let (loader, delegate) = ends.withLock { ($0.loader, $0.delegate) }
        guard let loader, let delegate else {
            ends.withLock { $0.run.take() }?.cancel()
            return
        }
        body(delegate, loader)
    }
}

extension ContactLoaderDelegate {
    fileprivate func deliver(_ event: LoaderEvent, from loader: ContactLoader) {
        switch event {
        case .total(let total): self.loader(loader, didLoadTotal: total)
        case .contact(let index, let contact): self.loader(loader, didLoad: contact, at: index)
        case .contactFailed(let failure): self.loader(loader, didFail: failure)
        case .avatar(let avatar): self.loader(loader, didPrepare: avatar)
        case .avatarFailed(let failure): self.loader(loader, didFail: failure)
        case .finished(let summary): self.loader(loader, didFinish: summary)
        case .contactChanged(let index, let contact): self.loader(loader, didChange: contact, at: index)
        case .contactRemoved(let id): self.loader(loader, didRemoveContact: id)
        }
    }
}
