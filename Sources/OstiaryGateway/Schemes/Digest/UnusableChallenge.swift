/// Why a challenge can't be answered, or must not be. For a person; it quotes nothing that a server sent.
struct UnusableChallenge: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
