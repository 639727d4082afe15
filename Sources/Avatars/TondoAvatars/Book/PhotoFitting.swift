internal import SystemPackage
package import TondoImage
package import TondoRender

/// Makes photos into what a book stores: as they are, if that is enough, else drawn again. Usable from any thread; blocks.
package struct PhotoFitting: Sendable {
    private let bounds: StorablePhoto.Bounds
    private let limits: Limits

    package init(within bounds: StorablePhoto.Bounds, limits: Limits = Limits()) {
        self.bounds = bounds
        self.limits = limits
    }

    /// `workers`: gives the confined processes if the photo has to be drawn; nil: this process draws. Throws a `RenderError`,
    /// `AvatarFailure.changed` if another program changes the photo's file, or what `workers` throws.
    package func photo(_ file: PhotoFile, by workers: () throws -> RenderWorkers?) throws -> StorablePhoto {
        do throws(StorablePhoto.Obstacle) {
            return try withExtendedLifetime(file) { () throws(StorablePhoto.Obstacle) in
                try StorablePhoto(plain: file.bytes, within: bounds)
            }
        } catch {
            if case .unreadable(let error) = error { throw RenderError(stage: .probe, error: error) }
        }
        let drawn = try draw(file, by: workers())
        do { return try StorablePhoto(drawn: drawn, within: bounds) } catch {
            throw RenderError(stage: .decode, error: .decoderCrashed("\(error)"))
        }
    }

    /// As `photo(_:by:)`, with the part of it to show; `part`: nil: all of it. `faces`: see `square`. Throws `PhotoPart.Outside`, too.
    package func photo(
        _ file: PhotoFile, showing part: PhotoPart?, faces: FaceDetector?, by workers: () throws -> RenderWorkers?
    ) throws -> FittedPhoto {
        let photo = try photo(file, by: workers)
        guard let part else { return FittedPhoto(photo: photo, crop: nil) }
        let size = try withExtendedLifetime(file) { try PhotoGeometry(probing: file.bytes).orientedSize }
        let shown = try part.rectangle(in: size) { square in
            try self.square(square, of: file, faces: faces, by: workers)
        }
        return FittedPhoto(photo: photo, crop: shown.crop(of: size, in: photo.geometry.orientedSize))
    }

    /// Draws the photo as it is stored, and drops what was drawn: one that was not drawn again may be damaged behind its header.
    /// Throws a `RenderError`, or what `workers` does.
    package func check(_ photo: FittedPhoto, by workers: () throws -> RenderWorkers?) throws {
        let file = PhotoFile(copying: photo.photo.bytes)
        let setup = RenderSetup(styles: [Style(size: Style.usualSize)], limits: limits)
        try withExtendedLifetime(file) {
            guard let workers = try workers() else {
                _ = try AvatarRenderer(styles: setup.styles, limits: limits).draw(Photo(file.bytes), styles: [0]) {
                    _, _ in
                }
                return
            }
            let avatar = RenderRequest.Avatar(index: 0, keyword: "fit", text: "1")
            let format = photo.photo.geometry.format
            _ = try workers.draw([avatar], with: setup, of: file.forWorkers, format: format, crop: nil, within: nil) {
                _, _ in
            }
        }
    }

    /// The square of a photo that an avatar with this crop shows, in pixels of the upright photo. `workers`, errors: as `photo`.
    /// `faces`: finds them in this process. Where no face is found, or looked for, the centre square.
    func square(
        _ crop: Style.Crop, of file: PhotoFile, faces: FaceDetector?, by workers: () throws -> RenderWorkers?
    ) throws -> PixelRectangle {
        let geometry = try withExtendedLifetime(file) { try PhotoGeometry(probing: file.bytes) }
        let plain = geometry.shownSquare(contact: nil, style: crop).square
        guard crop == .face else { return plain }
        var style = Style(size: Style.usualSize)
        style.crop = .face
        return try record(of: file, format: geometry.format, style: style, faces: faces, by: workers())?.square ?? plain
    }

    private func record(
        of file: PhotoFile, format: ImageHeader.Format, style: Style, faces: FaceDetector?, by workers: RenderWorkers?
    ) throws -> CropRecord? {
        try withExtendedLifetime(file) {
            guard let workers else {
                let renderer = AvatarRenderer(styles: [style], limits: limits, faces: faces)
                return try renderer.draw(Photo(file.bytes), styles: [0]) { _, _ in }.crop
            }
            // Without a model, a worker finds none.
            if workers.faceModel == nil { return nil }
            let avatar = RenderRequest.Avatar(index: 0, keyword: "fit", text: "1")
            do {
                return try workers.draw(
                    [avatar], with: RenderSetup(styles: [style], limits: limits), of: file.forWorkers, format: format,
                    crop: nil, within: nil
                ) { _, _ in
                }.crop
            } catch is RenderWorkers.ChangedFile { throw AvatarFailure.changed }
        }
    }

    private func draw(_ file: PhotoFile, by workers: RenderWorkers?) throws -> [UInt8] {
        try withExtendedLifetime(file) {
            guard let workers else {
                return try PhotoFitter(bounds: bounds, limits: limits).fit(file.bytes).bytes
            }
            let format = try PhotoGeometry(probing: file.bytes).format
            do {
                return try workers.fit(file.forWorkers, format: format, within: bounds, limits: limits)
            } catch is RenderWorkers.ChangedFile { throw AvatarFailure.changed }
        }
    }
}

extension AvatarPipeline {
    /// Makes a photo into what a book stores, where the photos of this pipeline are drawn, but without queue and cache. Throws as
    /// `PhotoFitting.photo`. Blocks.
    package func fit(
        _ file: PhotoFile, within bounds: StorablePhoto.Bounds, showing part: PhotoPart?
    ) throws -> FittedPhoto {
        let fitting = PhotoFitting(within: bounds, limits: options.limits)
        return try fitting.photo(file, showing: part, faces: options.faces) { options.workers }
    }

    /// Draws a photo that no book has yet, as a contact with it would be shown. Throws a `RenderError`. Blocks.
    package func drawUncached(_ photo: FittedPhoto, in style: Style) throws -> Avatar {
        try drawUncached(.bytes(photo.photo.bytes, crop: CropRectangle(photo.crop)), in: style)
    }
}

extension PhotoFile {
    /// Its file, where a process can read that itself, else its bytes.
    var forWorkers: RenderWorkers.Photo {
        guard let handle else { return .bytes(bytes) }
        return .file(handle.file.rawValue, offset: handle.offset, count: handle.count) { handle.isUnchanged }
    }
}
