public import Foundation
internal import OstiaryNewzulu

/// A photo or video to upload.
///
/// Elsewhere the vendor's SDK took photos from the photo library, too; export those to a file first.
public struct Upload: Sendable {
  /// Where the media is: a file URL, or a data URL.
  public var source: URL
  /// What is said about it.
  public var info: UploadInfo

  /// Makes an upload.
  public init(source: URL, info: UploadInfo) {
    self.source = source
    self.info = info
  }

  /// The same in Ostiary's words.
  var translated: NewzuluUpload {
    get throws { try NewzuluUpload(source: source, title: info.title, message: info.description) }
  }
}
