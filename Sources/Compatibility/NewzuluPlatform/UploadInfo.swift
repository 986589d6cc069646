/// What is said about a photo or video.
public struct UploadInfo: Sendable, Hashable {
  /// The title.
  public var title: String
  /// The description.
  public var description: String

  /// Makes an info.
  public init(title: String, description: String) {
    self.title = title
    self.description = description
  }
}
