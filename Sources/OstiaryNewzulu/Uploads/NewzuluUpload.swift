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
