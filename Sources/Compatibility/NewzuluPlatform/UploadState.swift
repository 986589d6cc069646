internal import OstiaryNewzulu

/// How far an upload has come, and what it takes to resume it.
public struct UploadState: Sendable {
  /// What is uploaded.
  public let upload: Upload
  var state: NewzuluUploadState?

  init(upload: Upload) {
    self.upload = upload
  }

  /// How many bytes the server has.
  public var uploadedBytes: Int64 { state?.uploadedBytes ?? 0 }
  /// How many bytes there are; 0 when the upload had not begun.
  public var totalBytes: Int64 { state?.fileSize ?? 0 }
}
