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
