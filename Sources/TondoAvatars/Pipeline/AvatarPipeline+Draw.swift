package import TondoImage

extension AvatarPipeline {
    /// Draws on this thread, without queue and cache. Throws a `RenderError`.
    package static func draw(_ photo: PhotoFile, in style: Style) throws -> Avatar {
        let set = StyleSet([style], source: CachingRenderer(styles: [style], limits: Limits()))
        return try RenderRequest(AvatarRequest(photo, styles: set)).make()[0]
    }
}
