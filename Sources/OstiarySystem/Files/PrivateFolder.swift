#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
internal import Foundation

/// An open folder that belongs to this user alone. Everything in it is reached through its descriptor, so that no other
/// process can replace the folder while it is used.
package struct PrivateFolder: Sendable {
  package let path: String
  private let descriptor: FileDescriptor
  /// The number of its file system.
  package let device: UInt64

  /// Opens the folder at `path`.
  /// - Returns: `nil` when there is none and it is not to be created.
  /// - Throws: ``OstiaryError`` `storeUnavailable` when it is a link, belongs to another user, or can't be opened.
  package static func open(_ path: String, creating: Bool) throws(OstiaryError) -> PrivateFolder? {
    guard !path.utf8.contains(0) else { throw .refusedFile("the folder", "its path contains a zero byte") }
    if let folder = try openExisting(path) { return folder }
    guard creating else { return nil }
    try create(path)
    return try openExisting(path)
  }

  private static func openExisting(_ path: String) throws(OstiaryError) -> PrivateFolder? {
    guard let descriptor = try openAny(path, O_NOFOLLOW) else { return nil }
    let status = try descriptor.makePrivate(type: S_IFDIR, rights: 0o700)
    return PrivateFolder(path: path, descriptor: descriptor, device: UInt64(truncatingIfNeeded: status.st_dev))
  }

  private static func openAny(_ path: String, _ flags: CInt = 0) throws(OstiaryError) -> FileDescriptor? {
    let number = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw .file(isLink(path) ? ELOOP : errno, cannot: "open", path)
    }
    return FileDescriptor(number, path: path)
  }

  /// Linux answers ENOTDIR, not ELOOP, for a link where a folder should be.
  private static func isLink(_ path: String) -> Bool {
    let code = errno
    defer { errno = code }
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Creates the folder and those above it, each for this user alone.
  private static func create(_ path: String) throws(OstiaryError) {
    let parent = (path as NSString).deletingLastPathComponent
    var failure = mkdir(path, 0o700) == 0 ? 0 : errno
    if failure == ENOENT, !parent.isEmpty, parent != path {
      try create(parent)
      failure = mkdir(path, 0o700) == 0 ? 0 : errno
    }
    guard failure == 0 || failure == EEXIST else { throw .file(failure, cannot: "create", path) }
    // The folder above isn't ours to judge: where it can't be synchronised, the new folder is as durable as it gets.
    if failure == 0, let above = try? openAny(parent) { try? above.synchronize() }
  }

  // MARK: Files in it

  private func path(of name: String) -> String { path + "/" + name }

  /// Opens a file that is ours.
  /// - Returns: `nil` when there is none and it is not to be created.
  package func file(_ name: String, _ flags: CInt) throws(OstiaryError) -> (FileDescriptor, size: Int64)? {
    // O_NONBLOCK: opening a pipe that another process has put there must not wait for its other end.
    let number = openat(descriptor.number, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      if errno == ENOENT, flags & O_CREAT == 0 { return nil }
      throw .file(errno, cannot: "open", path(of: name))
    }
    let file = FileDescriptor(number, path: path(of: name))
    let status = try file.makePrivate(type: S_IFREG, rights: 0o600)
    return (file, Int64(status.st_size))
  }

  /// The names of all files.
  package func names() throws(OstiaryError) -> [String] {
    // A descriptor of its own, because listing moves its position and closing the list closes it.
    let number = openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .file(errno, cannot: "list", path) }
    guard let list = fdopendir(number) else {
      close(number)
      throw .file(errno, cannot: "list", path)
    }
    defer { closedir(list) }
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }

  package func contains(_ name: String) -> Bool {
    var status = stat()
    return fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Whether `file` is still the one with this name.
  package func holds(_ file: FileDescriptor, as name: String) throws(OstiaryError) -> Bool {
    var named = stat()
    guard fstatat(descriptor.number, name, &named, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
    let status = try file.status()
    return status.st_dev == named.st_dev && status.st_ino == named.st_ino
  }

  /// Gives a file another name, in place of the file that has it.
  package func rename(_ name: String, to newName: String) throws(OstiaryError) {
    guard renameat(descriptor.number, name, descriptor.number, newName) == 0 else {
      throw .file(errno, cannot: "write", path(of: newName))
    }
  }

  /// Removes a file. Removing none is a success.
  package func remove(_ name: String) throws(OstiaryError) {
    guard unlinkat(descriptor.number, name, 0) == 0 || errno == ENOENT else {
      throw .file(errno, cannot: "remove", path(of: name))
    }
  }

  /// Waits until additions, removals and new names are on the disk.
  package func synchronize() throws(OstiaryError) {
    try descriptor.synchronize()
  }
}
