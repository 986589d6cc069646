internal import Foundation
internal import OstiaryCore
internal import OstiaryPrivateFiles

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Whether the folders of profiles and sessions can be used. Where a folder is there, a file is written to it and removed again;
/// no folder is made.
struct StoreProbe: Sendable {
  let folders: Folders

  enum Outcome: Sendable, Equatable {
    case ready(folder: String)
    case notMadeYet(folder: String)
    case refused(folder: String, reason: String)
    case full(folder: String)
    /// Other users can read the key, so that it is not used.
    case keyOpen(file: String)
  }

  func run() -> Outcome {
    let folders = [folders.state, folders.configuration]
    var missing: String?
    for folder in folders {
      let path = folder.path(percentEncoded: false)
      let place = nearestFolder(of: path)
      if place == nil || place != path.withoutEndingSlash { missing = missing ?? path.withoutEndingSlash }
      if let outcome = problem(in: path.withoutEndingSlash, nearest: place ?? "/") { return outcome }
    }
    let key = folders[1].appending(path: "session.key")
    if (try? PrivateFile(url: key).isOpenToOthers()) == true { return .keyOpen(file: key.path(percentEncoded: false)) }
    let state = folders[0].path(percentEncoded: false).withoutEndingSlash
    return missing.map { .notMadeYet(folder: $0) } ?? .ready(folder: state)
  }

  /// The folder itself, or the nearest one above it that is there.
  private func nearestFolder(of path: String) -> String? {
    var path = path.withoutEndingSlash
    while !path.isEmpty {
      if FileStatus(path: path) != nil { return path }
      path = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
    return nil
  }

  private func problem(in folder: String, nearest: String) -> Outcome? {
    guard FileStatus(path: nearest)?.kind == .folder else {
      return .refused(folder: folder, reason: String(cString: strerror(ENOTDIR)))
    }
    guard access(nearest, W_OK | X_OK) == 0 else {
      return .refused(folder: folder, reason: String(cString: strerror(errno)))
    }
    if nearest == folder { return writeProblem(in: folder) }
    var system = statvfs()
    let isFull = statvfs(nearest, &system) == 0 && system.f_blocks > 0 && system.f_bavail == 0
    return isFull ? .full(folder: folder) : nil
  }

  /// Room in the file system is no promise: a quota or a limit is met by writing only.
  private func writeProblem(in folder: String) -> Outcome? {
    let path = "\(folder)/.doctor-\(UUID().uuidString)"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return failure(errno, folder) }
    defer {
      close(descriptor)
      unlink(path)
    }
    let bytes = [UInt8](repeating: 0, count: 4096)
    let count = write(descriptor, bytes, bytes.count)
    if count < bytes.count { return failure(count < 0 ? errno : ENOSPC, folder) }
    return fsync(descriptor) == 0 ? nil : failure(errno, folder)
  }

  private func failure(_ number: Int32, _ folder: String) -> Outcome {
    switch number {
    case ENOSPC, EDQUOT: .full(folder: folder)
    default: .refused(folder: folder, reason: String(cString: strerror(number)))
    }
  }
}

extension String {
  /// A folder's path without the slash at its end.
  fileprivate var withoutEndingSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}
