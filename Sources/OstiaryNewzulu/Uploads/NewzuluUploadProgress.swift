/// How far an upload has come.
public struct NewzuluUploadProgress: Sendable, Hashable {
  /// How many bytes the server has. It never shrinks during one upload, and grows by whole parts.
  public let uploadedBytes: Int64
  /// How many bytes there are.
  public let totalBytes: Int64
  /// What it takes to resume the upload from here.
  public let state: NewzuluUploadState
}
