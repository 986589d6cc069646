public import NewzuluCore
public import OstiaryNewzulu

extension PlatformClient {
  /// Lists media items. (The call is the platform's `media.getFiles`; its spelling here is our choice.)
  /// - Parameters:
  ///   - query: which items.
  ///   - onSuccess: gets a page of them.
  ///   - onError: gets what went wrong.
  @preconcurrency
  public func getFiles(
    _ query: NewzuluFileQuery = NewzuluFileQuery(), onSuccess: @escaping @Sendable (NewzuluFileList) -> Void,
    onError: @escaping @Sendable (NewzuluError) -> Void
  ) {
    perform({ try await $0.getFiles(query) }, completion: { $0.hand(to: onSuccess, onError) })
  }

  /// Gets one media item. (The call is the platform's `media.getFileInfo`; its spelling here is our choice.)
  /// - Parameters:
  ///   - id: the item's identifier.
  ///   - onSuccess: gets the item.
  ///   - onError: gets what went wrong.
  @preconcurrency
  public func getFileInfo(
    id: String, onSuccess: @escaping @Sendable (NewzuluFile) -> Void,
    onError: @escaping @Sendable (NewzuluError) -> Void
  ) {
    perform({ try await $0.getFileInfo(id: id) }, completion: { $0.hand(to: onSuccess, onError) })
  }
}
