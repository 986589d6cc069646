/// The domain of the `NSError`s that this module hands over. Its value is not published.
public let WLClientErrorDomain: String = "WLClientErrorDomain"

/// A code in ``WLClientErrorDomain``: something that has no code of its own.
public let WLClientErrorInternalError = 1
/// A code in ``WLClientErrorDomain``: the server could not be reached.
public let WLClientErrorUnresponsiveHost = 2
/// A code in ``WLClientErrorDomain``: the server did not answer in time.
public let WLClientErrorRequestTimeout = 3
/// A code in ``WLClientErrorDomain``: the server answered with a status other than success.
public let WLClientErrorServerError = 4
/// A code in ``WLClientErrorDomain``: no user is signed in, because a challenge was cancelled or not answered well.
public let WLClientErrorAuthenticationFailure = 5
