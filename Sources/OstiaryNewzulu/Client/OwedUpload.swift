/// An upload that is given up: its identifier, and the project that it was begun for. No secret is in it.
struct OwedUpload: Sendable, Hashable {
  let id: String
  /// The project's tenant, for a server looks for an upload in one alone.
  let project: String
}
