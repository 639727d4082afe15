import Foundation
import SystemPackage
import TondoMirror
import TondoSync

// `tondo-sync` for tests that kill it: photos come from loopback by plain http, which the program refuses. The order is a file in JSON.

guard CommandLine.arguments.count == 2,
    let data = FileManager.default.contents(atPath: CommandLine.arguments[1]),
    let order = try? JSONDecoder().decode(SyncOrder.self, from: data)
else { exit(64) }
var options = SourceRun.Options()
(options.photos.policy, options.photos.permitsPlain) = (.loopback, true)
options.photos.timeout = .seconds(60)
options.books = order.books
for source in order.sources {
    let result = SourceRun(source: source, in: FilePath(order.folder), options: options).run()
    if let error = result.error {
        print("\(error)")
        exit(1)
    }
}
