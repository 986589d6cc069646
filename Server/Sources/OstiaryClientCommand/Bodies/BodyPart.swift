internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// A part of a request's body.
enum BodyPart: Sendable {
  case bytes(Data)
  /// A regular file with so many bytes. It can be read again.
  case file(URL, size: Int64)
  case once(OneTimeInput)

  /// How many bytes it has; `nil` where only the end tells.
  var length: Int64? {
    switch self {
    case .bytes(let data): Int64(data.count)
    case .file(_, let size): size
    case .once: nil
    }
  }

  /// A body, or a part of one, that an argument names: `-` is standard input. What has no more bytes than the limit is read at once.
  static func named(_ path: String, _ environment: CommandEnvironment, upTo limit: Int) throws -> BodyPart {
    if path == "-" {
      let input = environment.input
      let start = try input.read(limit)
      return start.count <= limit
        ? .bytes(start)
        : .once(OneTimeInput(RequestMessage.standardInput, start: start) { try input.read($0 - 1) })
    }
    let url = environment.url(path: path)
    guard access(url.path(percentEncoded: false), F_OK) == 0 else { throw Self.unreadable(path, errno) }
    let place = url.resolvingSymlinksInPath().path(percentEncoded: false)
    let attributes = (try? FileManager.default.attributesOfItem(atPath: place)) ?? [:]
    let type = attributes[.type] as? FileAttributeType
    let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
    guard type != .typeDirectory else { throw OstiaryError.file(RequestMessage.folder(path)) }
    let file: FileHandle
    do {
      file = try FileHandle(forReadingFrom: url)
    } catch {
      throw Self.unreadable(path, EACCES)
    }
    if type == .typeRegular, size > limit { return .file(url, size: size) }
    let read: @Sendable (Int) throws -> Data = { count in
      do {
        return try file.read(upToCount: count) ?? Data()
      } catch {
        throw Self.unreadable(path, EIO)
      }
    }
    var start = Data()
    while start.count <= limit {
      let piece = try read(limit + 1 - start.count)
      if piece.isEmpty { return .bytes(start) }
      start.append(piece)
    }
    return .once(OneTimeInput(path, start: start, source: read))
  }

  /// Begins to read it.
  /// - Returns: the next bytes at each call, so many at most, and none at the end. It may block.
  func open() throws -> @Sendable (_ count: Int) throws -> Data {
    switch self {
    case .bytes(let data):
      let rest = Locked(data)
      return { count in
        rest.withLock { rest in
          let piece = Data(rest.prefix(count))
          rest = rest.dropFirst(count)
          return piece
        }
      }
    case .file(let url, let size): return try Self.reader(of: url, size)
    case .once(let input): return try input.open()
    }
  }

  /// Reads as many bytes as the request has announced: what is added to the file meanwhile is left out.
  private static func reader(of url: URL, _ size: Int64) throws -> @Sendable (Int) throws -> Data {
    let name = url.lastPathComponent
    guard let file = try? FileHandle(forReadingFrom: url) else { throw unreadable(name, EACCES) }
    let left = Locked(size)
    return { count in
      let wanted = Int(min(Int64(count), left.withLock { $0 }))
      guard wanted > 0 else { return Data() }
      let piece: Data
      do {
        piece = try file.read(upToCount: wanted) ?? Data()
      } catch {
        throw unreadable(name, EIO)
      }
      guard !piece.isEmpty else { throw OstiaryError.file(RequestMessage.shorter(name)) }
      left.withLock { $0 -= Int64(piece.count) }
      return piece
    }
  }

  private static func unreadable(_ name: String, _ number: Int32) -> OstiaryError {
    OstiaryError.file(RequestMessage.unreadable(name, reason: String(cString: strerror(number))))
  }
}
