internal import Foundation

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
