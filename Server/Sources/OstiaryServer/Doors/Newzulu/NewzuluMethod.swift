import OstiaryCore

/// A method of the door, and the callers that may use it.
struct NewzuluMethod: Sendable {
  typealias Run = @Sendable (NewzuluDoor, NewzuluReceivedCall, NewzuluCaller) async throws -> JSONValue

  /// What its arguments and its result are about.
  let subject: NewzuluDoorNames.Subject?
  /// Whether it works without a key and without a session.
  var isForAnybody = false
  let run: Run
}

extension NewzuluDoor {
  /// Every method, by its name in lower case.
  static let methods: [String: NewzuluMethod] = [
    "users.confirmcredentials": NewzuluMethod(subject: .user) { try await $0.confirmCredentials($1, $2) },
    "users.getloggedinuser": NewzuluMethod(subject: .user) { try await $0.loggedInUser($2) },
    "users.getuserbysessiontoken": NewzuluMethod(subject: .user) { try await $0.loggedInUser($2) },
    "users.getuserinfo": NewzuluMethod(subject: .user) { try await $0.userInfo($1, $2, by: .idOrUserName) },
    "users.getuserinfobyemail": NewzuluMethod(subject: .user) { try await $0.userInfo($1, $2, by: .email) },
    "users.getuserinfobyusername": NewzuluMethod(subject: .user) { try await $0.userInfo($1, $2, by: .userName) },
    "users.register": NewzuluMethod(subject: nil) { try await $0.register($1, $2) },
    "users.verifyuseremail": NewzuluMethod(subject: nil) { try await $0.verifyUserEmail($1, $2) },
    "media.getfiles": NewzuluMethod(subject: .file, isForAnybody: true) { try await $0.files($1, $2) },
    "media.getfileinfo": NewzuluMethod(subject: .file, isForAnybody: true) { try await $0.fileInfo($1, $2) },
    "media.createmultipartupload": NewzuluMethod(subject: .upload) { try await $0.createUpload($1, $2) },
    "media.getmultipartupload": NewzuluMethod(subject: .upload) { try await $0.uploadState($1, $2) },
    "media.completemultipartupload": NewzuluMethod(subject: .upload) { try await $0.completeUpload($1, $2) },
    "media.abortmultipartupload": NewzuluMethod(subject: .upload) { try await $0.abortUpload($1, $2) },
  ]
}
