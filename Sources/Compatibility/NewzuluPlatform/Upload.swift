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

/// How far an upload has come, and what it takes to resume it.
public struct UploadState: Sendable {
  /// What is uploaded.
  public let upload: Upload
  var state: NewzuluUploadState?
  /// Whose upload it is.
  var owner: String?

  init(upload: Upload) {
    self.upload = upload
  }

  /// How many bytes the server has.
  public var uploadedBytes: Int64 { state?.uploadedBytes ?? 0 }
  /// How many bytes there are; 0 when the upload had not begun.
  public var totalBytes: Int64 { state?.fileSize ?? 0 }
}

/// An upload under way.
public struct UploadTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  /// Stops the upload. Its `onError` gets ``/NewzuluCore/NewzuluError/Reason-swift.enum/unknown`` and the state to resume from.
  public func cancel() { task.cancel() }
}
