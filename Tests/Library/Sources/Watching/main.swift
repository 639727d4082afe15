import Dispatch
import Tondo

/// Prints each avatar, and ends after the first pass.
final class Printer: ContactLoaderDelegate {
    let finished = DispatchSemaphore(value: 0)

    func loader(_ loader: ContactLoader, didLoadTotal total: Int) { print("\(total) contacts") }

    func loader(_ loader: ContactLoader, didLoad contact: Contact, at index: Int) {
        // The contacts at the top of the list come first.
        if index < 20 { loader.show([contact.id]) }
    }

    func loader(_ loader: ContactLoader, didPrepare avatar: PreparedAvatar) { print("avatar \(avatar.contact)") }
    func loader(_ loader: ContactLoader, didFail avatar: FailedAvatar) { print("failed \(avatar.contact)") }
    func loader(_ loader: ContactLoader, didFinish summary: LoadSummary) { finished.signal() }
    func loader(_ loader: ContactLoader, didStop error: LoadError) { finished.signal() }
}

var options = ContactLoader.Options()
options.cacheFolder = CommandLine.arguments[2]
options.isWatching = true
let loader = try ContactLoader(book: CommandLine.arguments[1], options)
let printer = Printer()
loader.load(on: DispatchQueue(label: "avatars"), delegate: printer)
printer.finished.wait()
loader.cancel()
