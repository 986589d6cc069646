import Foundation

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#elseif canImport(Musl)
  package import Musl
#endif

/// The system's user without rights, whom a test becomes that needs a permission to be denied: root is denied none.
package enum OrdinaryUser {
  /// The number of the user and of its group.
  package static let id: uid_t = 65534

  /// A call of the system failed.
  package struct Failed: Error {
    /// The call.
    package let call: String
  }

  /// Gives a file or folder to the user.
  package static func own(_ path: String) throws {
    guard chown(path, id, id) == 0 else { throw Failed(call: "chown \(path)") }
  }

  /// Turns this process for good into one of the user, who owns `folder`, what is in it, and `others`. A process that is not
  /// root's is an ordinary user's already.
  package static func become(owning folder: String, and others: [String] = []) throws {
    guard geteuid() == 0 else { return }
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }
    for path in files + [folder] + others { try own(path) }
    guard setgid(id) == 0, setuid(id) == 0 else { throw Failed(call: "setuid") }
  }
}
