extension IdentityService {
  /// What guesses and passwords use up, by whichever door they come.
  var resources: [ResourceLimit] {
    let pool = hasher.pool
    return [
      ResourceLimit(
        "hash_places", "Passwords that are hashed or wait for it", .count(pool.capacity),
        standard: "33 for each core; no account and no address has more than it leaves free",
        refusal: "503, or what the door says in its stead", count: { pool.refused }),
      ResourceLimit(
        "guess_counts", "Counts of wrong guesses", .count(configuration.loginLimits.mostKeys), standard: "600,000",
        refusal: "those that would be forgotten soonest are", count: nil),
      ResourceLimit(
        "counted_askers", "Addresses that ask for mail, and those that ask the Primer door",
        .count(LoginLimits.standard.mostKeys), standard: "600,000 of each",
        refusal: "those whose counts end soonest are forgotten", count: nil),
    ]
  }
}
