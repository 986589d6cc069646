/// One page of a list of media items.
public struct NewzuluFileList: Sendable, Hashable {
  /// How many items there are on all pages together.
  public let totalCount: Int
  /// The items of this page.
  public let files: [NewzuluFile]
}
