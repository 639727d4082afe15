/// Merges batches into blocks: a batch gets its own codes if these save more than they cost.
struct DeflateBlocks: ~Copyable {
    /// The approximate cost of the codes of one more block, in 1/256 bits.
    private static let headerCost = 100 * 8 * 256

    private var output: DeflateBlockWriter
    private let maxBytes: Int
    /// The pending block: its bytes, sequences, counts and entropy in 1/256 bits.
    private var range = 0..<0
    private var sequenceCount = 0
    private var pending = DeflateHistogram()
    private var pendingEntropy = 0
    /// The counts of the current batch.
    private var fresh = DeflateHistogram()

    init(source: UnsafePointer<UInt8>, writer: BitWriter, maxBytes: Int) {
        output = DeflateBlockWriter(source: source, writer: writer)
        self.maxBytes = maxBytes
    }

    /// Adds the batch of the bytes `batch`.
    mutating func add(_ batch: Range<Int>, from tokenizer: inout DeflateTokenizer) {
        tokenizer.tokenize(batch, into: &fresh)
        let entropy = fresh.entropy()
        let joined = range.isEmpty ? entropy : pending.entropy(with: fresh)
        let full = range.count + batch.count > maxBytes
        if !range.isEmpty, full || joined > pendingEntropy + entropy + Self.headerCost {
            flush(&tokenizer, last: false)
            pendingEntropy = entropy
        } else {
            pendingEntropy = joined
        }
        range = range.isEmpty ? batch : range.lowerBound..<batch.upperBound
        pending.add(fresh)
        sequenceCount = tokenizer.sequenceCount
    }

    /// Writes the last block; returns the end of the stream.
    mutating func finish(_ tokenizer: inout DeflateTokenizer) -> UnsafeMutablePointer<UInt8> {
        flush(&tokenizer, last: true)
        output.writer.align()
        return output.writer.bytes
    }

    private mutating func flush(_ tokenizer: inout DeflateTokenizer, last: Bool) {
        output.write(range, sequences: tokenizer.sequences, count: sequenceCount, histogram: pending, last: last)
        tokenizer.drop(sequenceCount)
        range = range.upperBound..<range.upperBound
        pending.reset()
    }
}
