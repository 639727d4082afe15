package import TondoImage

extension AvatarPipeline {
    /// Draws on this thread, without queue and cache. Throws a `RenderError`.
    package static func draw(_ photo: PhotoFile, in style: Style) throws -> Face {
        let set = StyleSet([style], source: RenditionSource(styles: [style], limits: Limits()))
        return try WantedFaces(AvatarRequest(photo, styles: set)).make()[0]
    }
}
