internal import Foundation
internal import OstiaryCore

/// How far an upload has come: the table of its parts. With it an upload is resumed, by another process too.
///
/// It is `Codable`, and as confidential as a session: a program that has it can write the missing parts.
public struct NewzuluUploadState: Sendable, Hashable, Codable {
  /// One part of the file.
  struct Part: Sendable, Hashable, Codable {
    /// Where to put it; its own authority.
    var url: Secret?
    /// Whether the server has it.
    var isStored = false
    /// What the server calls its content.
    var tag: String?
    /// The digest of the bytes that were sent, with the key that it was made with.
    var digest: Data?
  }

  /// The media item's identifier.
  public let id: String
  /// The file's size in bytes.
  public let fileSize: Int64
  /// The size of every part but the last, in bytes.
  public let partSize: Int64
  /// Whose upload it is: the user and the project.
  let account: String
  /// What is said of the file, as a digest; `nil` in a table of the version before.
  let about: String?
  /// When the file was last changed, if it is one.
  let modified: Date?
  /// The parts in order; the first has the number 1.
  var parts: [Part]

  /// How many bytes the server has.
  public var uploadedBytes: Int64 {
    parts.indices.reduce(into: 0) { sum, index in
      if parts[index].isStored { sum &+= length(ofPart: index) }
    }
  }

  /// Whether the server has every part.
  public var hasAllParts: Bool { parts.allSatisfy(\.isStored) }

  /// Whether the numbers fit each other. What a store or a server gave is used only if they do.
  var isSound: Bool {
    fileSize > 0 && partSize > 0 && partSize <= 1 << 40 && fileSize <= 1 << 50 && !id.isEmpty
      && parts.count == Self.count(fileSize, partSize)
  }

  /// How many parts a file has. Both sizes are positive.
  static func count(_ fileSize: Int64, _ partSize: Int64) -> Int {
    Int(clamping: (fileSize - 1) / partSize + 1)
  }

  /// Where a part begins.
  func offset(ofPart index: Int) -> Int64 { Int64(index) &* partSize }

  /// How long a part is.
  func length(ofPart index: Int) -> Int64 { max(0, min(partSize, fileSize &- offset(ofPart: index))) }
}

extension NewzuluUploadState: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The item, and how much of it is uploaded.
  public var description: String { "upload \(id): \(uploadedBytes) of \(fileSize) bytes" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["state": description], displayStyle: .struct) }
}

/// How far an upload has come.
public struct NewzuluUploadProgress: Sendable, Hashable {
  /// How many bytes the server has. It never shrinks during one upload, and grows by whole parts.
  public let uploadedBytes: Int64
  /// How many bytes there are.
  public let totalBytes: Int64
  /// What it takes to resume the upload from here.
  public let state: NewzuluUploadState
}
