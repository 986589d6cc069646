public import Foundation
public import OstiaryCore

/// A media item: a photo, a video, a text.
///
/// Every part but the identifier can be missing, and is then `nil`: a list has only the fields that were asked for.
public struct NewzuluFile: Sendable, Hashable, Identifiable {
  /// The item's identifier.
  public let id: String
  /// Everything that the server said of it, as it came.
  public let attributes: [String: JSONValue]
  private let keys: NewzuluConfiguration.FileKeys

  init(
    id: String, attributes: [String: JSONValue] = [:],
    keys: NewzuluConfiguration.FileKeys = NewzuluConfiguration.FileKeys()
  ) {
    self.id = id
    self.attributes = attributes
    self.keys = keys
  }

  /// Reads an item.
  /// - Parameter keys: what the server calls the members of an item.
  /// - Returns: `nil` when there is no identifier.
  public init?(
    _ members: [String: JSONValue], keys: NewzuluConfiguration.FileKeys = NewzuluConfiguration.FileKeys()
  ) {
    guard let id = members[keys.id]?.looseText else { return nil }
    self.init(id: id, attributes: members, keys: keys)
  }

  /// The title.
  public var title: String? { attributes[keys.title]?.looseText }
  /// The description. The platform may have HTML in it.
  public var message: String? { attributes[keys.message]?.looseText }
  /// The name that the file had.
  public var filename: String? { attributes[keys.filename]?.looseText }
  /// The media type, such as `video/mp4`.
  public var contentType: String? { attributes[keys.contentType]?.looseText }
  /// The size in bytes.
  public var size: Int64? { attributes[keys.size]?.looseInteger }
  /// What has become of it.
  public var status: NewzuluFileStatus? {
    attributes[keys.status]?.looseInteger.flatMap { Int(exactly: $0) }.map(NewzuluFileStatus.init)
  }
  /// The identifier of the user who uploaded it.
  public var uploaderID: String? { attributes[keys.uploaderID]?.looseText }
  /// Where its thumbnails are; a transcoding's number follows after a slash, as published clients do it.
  public var thumbnailURL: URL? { attributes[keys.thumbnailURL]?.looseText.flatMap { URL(string: $0) } }
}

/// What has become of a media item. An open set: the platform has more than are published.
public struct NewzuluFileStatus: RawRepresentable, Sendable, Hashable {
  /// The platform's number.
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// It is uploaded and waits for being converted; published.
  public static let queued = Self(rawValue: 1)
  /// It is ready; from published samples.
  public static let ready = Self(rawValue: 3)
  /// Its upload is not complete, or was aborted; published.
  public static let incomplete = Self(rawValue: 5)
}
