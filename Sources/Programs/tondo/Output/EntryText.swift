import FoundationEssentials
import SystemPackage
import TondoAvatars
import TondoCache
import TondoText

/// All details of one entry, for humans.
struct EntryText {
    private let entry: Entry
    private let crop: CropReport?
    private let damage: String?
    private let file: FilePath
    private let now: Date

    /// `crop`: what its file says; nil: nothing. `damage`: what is wrong with its bytes, from `AvatarCache.damage(of:)`.
    init(entry: Entry, crop: CropReport?, damage: String?, file: FilePath, now: Date) {
        self.entry = entry
        self.crop = crop
        self.damage = damage
        self.file = file
        self.now = now
    }

    /// `width`: cells per line, nil for no limit.
    func text(width: Int?) -> String {
        var block = KeyValueBlock()
        block.add("Key", value: entry.key.hexadecimal)
        block.add("File", value: file.string)
        block.add("Photo", value: entry.recipe.photo)
        block.add("Contacts", value: entry.contacts.isEmpty ? "none" : entry.contacts.joined(separator: ", "))
        block.add("Pixels", value: "\(entry.recipe.side) x \(entry.recipe.side)")
        block.add("Format", value: Self.format(entry.recipe))
        block.add("Style", value: StyleText.text(entry.recipe.style))
        if let crop {
            block.add("Crop", values: CropText.lines(of: crop))
        } else if entry.recipe["initials"] == nil {
            // Initials have no part that is shown.
            block.add("Crop", value: entry.recipe["crop"].map(CropText.text))
        }
        block.add("Recipe", value: entry.recipe.text)
        block.add("Bytes", value: "\(Quantities.count(entry.size)) (\(ByteAmount.text(entry.size)))")
        block.add("Checksum", value: checksum)
        block.add("Cost", value: Quantities.milliseconds(entry.cost))
        block.add("Created", value: Moment.text(entry.created, now: now))
        block.add("Last used", value: Moment.text(entry.used, now: now))
        return block.text(width: width)
    }

    /// `PNG`, or `WebP, quality 85, libwebp-1.2.4`.
    private static func format(_ recipe: Recipe) -> String {
        switch EntryFormat(recipe) {
        case .png: "PNG"
        case .webp:
            ["WebP", recipe["quality"].map { "quality \($0)" }, recipe["encoder"]].compactMap(\.self)
                .joined(separator: ", ")
        }
    }

    private var checksum: String {
        switch damage {
        case nil: "holds"
        case AvatarCache.missing?: "none: the file is missing; the next request draws it again"
        case let reason?: "invalid: \(reason); the next request removes the entry and draws it again"
        }
    }
}

/// When and why an entry was removed, for humans.
enum RemovalRecordText {
    static func text(of removalRecord: RemovalRecord) -> String {
        let date = WallClock.local.text(removalRecord.date)
        return switch removalRecord.reason {
        case .size: "was evicted on \(date): least recently used while the cache was over its size limit"
        case .age: "was evicted on \(date): not used for longer than the age limit"
        case .damaged: "was removed on \(date): its bytes were damaged"
        case .removed: "was removed on \(date) on request"
        }
    }
}
