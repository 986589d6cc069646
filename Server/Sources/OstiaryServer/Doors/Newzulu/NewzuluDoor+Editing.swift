public import Foundation

extension NewzuluDoor {
  /// Lets everybody see an uploaded file, as an editor would who has looked it over.
  /// - Returns: Whether there is such a file.
  @discardableResult
  public func moderate(file id: Int64, isVisible: Bool = true) async throws(ServerError) -> Bool {
    try await media.moderate(id, isVisible: isVisible)
  }

  /// The files on this machine's disk that, one after the other, are the content of an uploaded file.
  public func content(ofFile id: Int64) async throws(ServerError) -> [URL] {
    try await uploads.content(of: id)
  }
}
