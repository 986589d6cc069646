internal import Crypto
public import Foundation
internal import OstiaryCore

/// A media item to upload, with what is to be said about it.
public struct NewzuluUpload: Sendable {
  /// Where the bytes come from.
  public enum Source: Sendable, Hashable {
    /// A file. It is read part by part, and must stay as it is meanwhile.
    case file(URL)
    /// Bytes in memory.
    case data(Data)
  }

  /// Where the bytes come from.
  public var source: Source
  /// The title.
  public var title: String
  /// The description.
  public var message: String
  /// The name that the platform shows.
  public var filename: String
  /// The media type, such as `video/mp4`.
  public var contentType: String

  /// An upload of a file.
  /// - Parameters:
  ///   - file: a `file:` URL.
  ///   - filename: the name that the platform shows; by default the file's own.
  ///   - contentType: the media type; by default what the name's extension usually means.
  public init(
    file: URL, title: String, message: String = "", filename: String? = nil, contentType: String? = nil
  ) {
    self.init(.file(file), title, message, filename ?? file.lastPathComponent, contentType)
  }

  /// An upload of bytes in memory.
  /// - Parameters:
  ///   - filename: the name that the platform shows.
  ///   - contentType: the media type; by default what the name's extension usually means.
  public init(data: Data, filename: String, title: String, message: String = "", contentType: String? = nil) {
    self.init(.data(data), title, message, filename, contentType)
  }

  private init(_ source: Source, _ title: String, _ message: String, _ filename: String, _ contentType: String?) {
    self.source = source
    self.title = title
    self.message = message
    self.filename = filename
    self.contentType = contentType ?? MediaType.usual(forName: filename)
  }

  /// What is said of the bytes, as a digest: with another title it is another item.
  var about: String {
    var hash = SHA256()
    for text in [title, message, filename, contentType] {
      hash.update(data: Data("\(text.utf8.count):\(text)".utf8))
    }
    return Data(hash.finalize()).base64EncodedString()
  }

  /// An upload of what a URL leads to: a `file:` URL's file, or the bytes in a `data:` URL.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `unusableUpload` for any other URL.
  public init(source url: URL, title: String, message: String = "") throws {
    if url.isFileURL {
      self.init(file: url, title: title, message: message)
    } else if let content = DataURL(url) {
      let name = "upload." + (MediaType.usualExtension(of: content.mediaType) ?? "bin")
      self.init(.data(content.data), title, message, name, content.mediaType)
    } else {
      throw OstiaryError.unusableUpload("What should be uploaded is neither a file nor a data URL.")
    }
  }
}

/// What the extensions of file names usually mean, for the kinds of media that the platform takes.
enum MediaType {
  private static let types = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "heic": "image/heic",
    "webp": "image/webp", "tif": "image/tiff", "tiff": "image/tiff", "bmp": "image/bmp",
    "mp4": "video/mp4", "m4v": "video/x-m4v", "mov": "video/quicktime", "avi": "video/x-msvideo",
    "mpg": "video/mpeg", "mpeg": "video/mpeg", "webm": "video/webm", "3gp": "video/3gpp", "mkv": "video/x-matroska",
    "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav", "aac": "audio/aac", "txt": "text/plain",
  ]

  /// Says nothing about the content.
  static let unknown = "application/octet-stream"

  /// The usual type of a file of this name.
  static func usual(forName name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return unknown }
    return types[name[name.index(after: dot)...].lowercased()] ?? unknown
  }

  /// An extension that usually means a type; `nil` for one that isn't known.
  static func usualExtension(of type: String) -> String? {
    types.filter { $0.value == type }.keys.min()
  }
}
