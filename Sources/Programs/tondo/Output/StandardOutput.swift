import ArgumentParser
import SystemPackage
import TondoText

/// Standard output, for results.
enum StandardOutput {
    /// Writes all bytes, or ends the command. If the reader has closed the pipe, the command ends silently, with the
    /// status of a program that SIGPIPE ended.
    static func write(_ text: String) throws { try write(Array(text.utf8)) }

    static func write(_ bytes: [UInt8]) throws {
        do { _ = try FileDescriptor.standardOutput.writeAll(bytes) } catch let error as Errno {
            reportError(error)
            throw error == .brokenPipe ? ExitCode.readerGone : ExitCode.inputOutput
        }
    }

    /// Several lines at a time, which saves a call for each.
    static func write<Element>(lines: some Sequence<Element>, _ append: (Element, inout [UInt8]) -> Void) throws {
        var pending: [UInt8] = []
        for element in lines {
            append(element, &pending)
            pending.append(0x0A)
            if pending.count < 1 << 16 { continue }
            try write(pending)
            pending.removeAll(keepingCapacity: true)
        }
        try write(pending)
    }

    /// A list: on a terminal aligned and never wider than it, elsewhere with tabs between the cells, and whole.
    static func write(_ table: Table, _ paint: Paint) throws {
        let columns = StandardStreams.outputIsTerminal ? StandardStreams.outputColumns ?? 80 : nil
        try write(columns.map { table.text(width: $0, paint: paint) } ?? table.tabbed)
    }

    /// Reports why writing failed, unless the reader has closed the pipe.
    static func reportError(_ error: any Error) {
        if error as? Errno == .brokenPipe { return }
        let reason = "\(error)"
        Terminal.reportError(
            "standard output: cannot be written: \(reason.prefix(1).lowercased() + reason.dropFirst())")
    }

    /// One JSON object on one line, with its members in alphabetical order.
    static func write(json value: some Encodable) throws { try write(JSONLine.encode(value) + "\n") }

    /// A report that the service sends, too, in the same order of its members.
    static func write(report: some Encodable) throws { try write(try JSONReport.encode(report) + [0x0A]) }
}

extension ExitCode {
    /// The reader of standard output closed it: the status a shell reports for a program that SIGPIPE ended.
    static let readerGone = ExitCode(141)
}
