internal import SystemPackage
internal import TondoFiles

/// The state that a run begins with.
///
/// A state that is lost or damaged is made again from the one before. Nothing of that one is relied on but the files that it
/// lists: without versions, the source is asked for everything, and without attributes, it lists everything.
struct FoundState {
    var state = MirrorState()
    var recovery: MirrorFolder.Recovery?

    /// Among the attributes of the source until a run is complete: one that ends before must not leave files unlisted.
    private static let key = "recovery"

    init(layout: MirrorLayout) throws(MirrorError) {
        do {
            state = try MirrorFile.state(at: layout.state)
            recovery = state.attributes[Self.key].flatMap { MirrorFolder.Recovery(rawValue: $0) }
            return
        } catch Errno.noSuchFileOrDirectory {
            recovery = Self.hadState(layout) ? .lost : nil
        } catch let failure as MirrorState.Failure {
            if failure == .newer { throw .newer(layout.state) }
            recovery = .damaged
        } catch {
            throw .file(FileError(.read, path: layout.state, errno: (error as? Errno) ?? .ioError))
        }
        guard let recovery else { return }
        takeFormer(layout)
        state.attributes[Self.key] = recovery.rawValue
    }

    /// Whether a run was complete already. Files in a new mirror are another program's, whatever their names are.
    private static func hadState(_ layout: MirrorLayout) -> Bool {
        FileStatus(layout.formerState) != nil || MirrorStatus.read(layout)?.lastSuccess != nil
    }

    private mutating func takeFormer(_ layout: MirrorLayout) {
        guard let former = try? MirrorFile.state(at: layout.formerState) else { return }
        state.members = former.members.mapValues { member in
            var member = member
            member.version = ""
            return member
        }
        state.photos = former.photos
    }
}
