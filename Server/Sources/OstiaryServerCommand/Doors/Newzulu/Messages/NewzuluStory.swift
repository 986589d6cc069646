internal import OstiaryClientCommand

/// The chapter of the Newzulu door in `ostiary demo`: its steps, and what they expect.
enum NewzuluStory: CommandMessage {
  case title
  case twoTenants(address: String)
  case credentialsSet
  case crowd(Int)
  case dropped
  case otherTenant
  case uploading(megabytes: Int, time: Int)
  case resumed
  case expectsTwoTenants
  case expectsKey
  case expectsNoRequest
  case expectsOneSignIn(calls: Int)
  case expectsThreeRequests
  case expectsWrongPassword
  case expectsAnotherUser
  case expectsNoFiles
  case expectsUserKept
  case expectsFailedUpload
  case expectsResumption
  case expectsEveryByte

  var line: Line {
    switch self {
    case .title: "Newzulu: sign in when needed, and upload come what may"
    case .twoTenants(let address): "Added \(address) twice: two tenants, two people, two passwords"
    case .credentialsSet: "Set the address and the password: nothing was sent"
    case .crowd(let count): "\(count) calls at once: all answered, after one sign-in that no call had asked for"
    case .dropped: "The server dropped the session: the next call signed in again and was sent again"
    case .otherTenant: "The same address in the other tenant is another person, with none of these files"
    case .uploading(let megabytes, let time): "Uploading \(megabytes) MiB; the network went away, time \(time)"
    case .resumed: "The network came back: only what was missing was sent, and the file is whole"
    case .expectsTwoTenants: "the server to have two tenants"
    case .expectsKey: "the server to have a key"
    case .expectsNoRequest: "no request, and no user to be signed in"
    case .expectsOneSignIn(let calls): "one sign-in and \(calls) calls"
    case .expectsThreeRequests: "a call, a sign-in, the call"
    case .expectsWrongPassword: "the first tenant's password to be wrong in the other"
    case .expectsAnotherUser: "another user"
    case .expectsNoFiles: "no files"
    case .expectsUserKept: "the user to stay signed in"
    case .expectsFailedUpload: "the upload to fail without a network"
    case .expectsResumption: "the upload to go on where it was"
    case .expectsEveryByte: "every byte at its place"
    }
  }

  static let isSentences = false
  static let examples: [NewzuluStory] = [
    .title, .twoTenants(address: "alice@example.com"), .credentialsSet, .crowd(20), .dropped, .otherTenant,
    .uploading(megabytes: 30, time: 1), .resumed, .expectsTwoTenants, .expectsKey, .expectsNoRequest,
    .expectsOneSignIn(calls: 20), .expectsThreeRequests, .expectsWrongPassword, .expectsAnotherUser, .expectsNoFiles,
    .expectsUserKept, .expectsFailedUpload, .expectsResumption, .expectsEveryByte,
  ]
}
