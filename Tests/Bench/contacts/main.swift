import Glibc
import SystemPackage
import TondoContacts

// usage: ContactsBench BOOK.vcf [RUNS]: reads a book over and over and prints the best time of each step.

guard CommandLine.arguments.count > 1 else { fatalError("usage: ContactsBench BOOK.vcf [RUNS]") }
let path = FilePath(CommandLine.arguments[1])
let runs = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 5 : 5

let file = try FileDescriptor.open(path, .readOnly)
let size = Int(try file.seek(offset: 0, from: .end))
let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.rawValue, 0)!
let bytes = UnsafeRawBufferPointer(start: start, count: size)
let megabytes = Double(size) / 1e6

/// Seconds this process has computed; others on the machine do not count.
func computed() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Prints the best of `runs` and the rate it means.
func measure(_ name: String, megabytes: Double = megabytes, _ body: () throws -> Int) rethrows {
    var (seconds, count) = (Double.infinity, 0)
    for _ in 0..<runs {
        let begin = computed()
        count = try body()
        seconds = min(seconds, computed() - begin)
    }
    print("\(name): \(count) in \((seconds * 1e5).rounded() / 100) ms, \((megabytes / seconds).rounded()) MB/s")
}

measure("open and count") { (try? VCardText(bytes))?.scan().people ?? 0 }

var photos: [EncodedPhoto] = []
try measure("read all contacts") {
    photos.removeAll(keepingCapacity: true)
    let text = try VCardText(bytes)
    let parser = VCardParser(text: text, file: path)
    var merger = ContactMerger(expecting: text.scan().people)
    var count = 0
    for card in text.cards {
        guard let contact = (try? parser.contact(in: card)).map({ merger.add($0) }) else { continue }
        count += 1
        if case .inline(.encoded(let photo), _)? = contact.photo { photos.append(photo) }
    }
    return count
}

let photoMegabytes = Double(photos.map(\.bytes.count).reduce(0, +)) / 1e6
try measure("decode all photos", megabytes: photoMegabytes) {
    try photos.map { try $0.decoded(from: UnsafeRawBufferPointer(rebasing: bytes[$0.bytes])).count }.reduce(0, +)
}

var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
print("peak memory: \(usage.ru_maxrss / 1024) MB for a book of \(size >> 20) MB")
