extension ServerTokens {
  /// What devices use up that ask to be let in.
  static let deviceResources = [
    ResourceLimit(
      "devices", "Devices that wait to be let in, or are remembered for it", .count(mostDevices),
      standard: "20,000; no client has more than it leaves free", refusal: "429", count: nil),
    ResourceLimit(
      "devices_per_address", "Those of one client that one address asks for at once",
      .count(Int(deviceAsks.burst)), standard: "20, and one more in 30 s", refusal: "429", count: nil),
  ]
}
