internal import OstiaryCore

/// The core's protocol, whose name a class of the vendor's has here, too.
typealias CoreChallengeHandler = OstiaryCore.ChallengeHandler
