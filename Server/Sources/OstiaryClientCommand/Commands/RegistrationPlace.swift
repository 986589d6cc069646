internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth
internal import OstiaryPrivateFiles

/// Where the command keeps what a server gave a client that it has registered: a file for an issuer, a redirect URI and a way to sign in.
struct RegistrationPlace {
  let issuer: String
  let redirectURI: String
  let isDevice: Bool
  private let folder: URL

  init(issuer: String, redirectURI: String, isDevice: Bool, in folder: URL) {
    self.issuer = issuer
    self.redirectURI = redirectURI
    self.isDevice = isDevice
    self.folder = folder
  }

  static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

  /// The file. Its name says what it is for; where that is too long, the end of it, and a hash that no other one has.
  var file: PrivateFile {
    guard isCut else { return earlierFile }
    let whole = FormEncoding.serialize([
      (name: "issuer", value: issuer), (name: "redirect_uri", value: redirectURI),
      (name: "device", value: "\(isDevice)"),
    ])
    return file(named: "\(earlierName),\(Data(whole.utf8).sha256.prefix(32))")
  }

  /// What is kept, and its file; without anything that is of use, the file for it.
  /// - Throws: ``OstiaryError`` for a file that can't be read.
  func registration(at now: Date) throws -> (file: PrivateFile, kept: OAuthRegistration?) {
    func usable(_ registration: OAuthRegistration?) -> OAuthRegistration? {
      guard let registration, registration.issuer == issuer,
        registration.secretExpiresAt.map({ $0 > now }) ?? true
      else { return nil }
      return registration
    }
    let file = file
    if let kept = usable(try OAuthSignIn.registration(in: file)) { return (file, kept) }
    // Files of earlier versions, of which several clients could have one.
    if isCut, let kept = usable(try OAuthSignIn.registration(in: earlierFile)), isOwn(kept) {
      return (earlierFile, kept)
    }
    return (file, nil)
  }

  /// Whether a server has said that a registration is for this redirect URI and way to sign in (RFC 7591 §3.2.1).
  private func isOwn(_ registration: OAuthRegistration) -> Bool {
    func texts(_ name: String) -> [String] { registration.members[name]?.array?.compactMap(\.string) ?? [] }
    return texts("redirect_uris").contains(redirectURI) && texts("grant_types").contains(Self.deviceGrant) == isDevice
  }

  // MARK: Names

  private static let longestIssuer = 140
  private static let longestAddress = 60

  private var issuerName: String { Self.fileName(issuer) }
  private var addressName: String { Self.fileName((isDevice ? "device-" : "") + redirectURI) }
  private var isCut: Bool { issuerName.count > Self.longestIssuer || addressName.count > Self.longestAddress }

  private var earlierName: String {
    "\(issuerName.suffix(Self.longestIssuer)),\(addressName.suffix(Self.longestAddress))"
  }

  /// The file that earlier versions had.
  private var earlierFile: PrivateFile { file(named: earlierName) }

  private func file(named name: String) -> PrivateFile { PrivateFile(url: folder.appending(path: name + ".json")) }

  /// A part of a file's name that says what a text says.
  private static func fileName(_ text: String) -> String {
    String(FormEncoding.serialize([(name: "", value: text)]).dropFirst())
  }
}
