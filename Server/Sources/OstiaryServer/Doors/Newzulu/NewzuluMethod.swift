import OstiaryCore

/// A method of the door, and the callers that may use it.
struct NewzuluMethod: Sendable {
  typealias Run = @Sendable (NewzuluDoor, NewzuluReceivedCall, NewzuluCaller) async throws -> JSONValue

  /// Whether it works without a key and without a session.
  var isForAnybody = false
  let run: Run
}

extension NewzuluDoor {
  /// Every method, by its name in lower case.
  static let methods: [String: NewzuluMethod] = [
    "users.confirmcredentials": NewzuluMethod { try await $0.confirmCredentials($1, $2) },
    "users.getloggedinuser": NewzuluMethod { try await $0.loggedInUser($2) },
    "users.getuserbysessiontoken": NewzuluMethod { try await $0.loggedInUser($2) },
    "users.getuserinfo": NewzuluMethod { try await $0.userInfo($1, $2, by: .idOrUserName) },
    "users.getuserinfobyemail": NewzuluMethod { try await $0.userInfo($1, $2, by: .email) },
    "users.getuserinfobyusername": NewzuluMethod { try await $0.userInfo($1, $2, by: .userName) },
    "users.register": NewzuluMethod { try await $0.register($1, $2) },
    "users.verifyuseremail": NewzuluMethod { try await $0.verifyUserEmail($1, $2) },
    "media.getfiles": NewzuluMethod(isForAnybody: true) { try await $0.files($1, $2) },
    "media.getfileinfo": NewzuluMethod(isForAnybody: true) { try await $0.fileInfo($1, $2) },
    "media.createmultipartupload": NewzuluMethod { try await $0.createUpload($1, $2) },
    "media.getmultipartupload": NewzuluMethod { try await $0.uploadState($1, $2) },
    "media.completemultipartupload": NewzuluMethod { try await $0.completeUpload($1, $2) },
    "media.abortmultipartupload": NewzuluMethod { try await $0.abortUpload($1, $2) },
  ]
}
