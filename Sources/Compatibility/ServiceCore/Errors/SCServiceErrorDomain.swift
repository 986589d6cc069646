/// The domain of errors about authentication, whose codes are ``SCServiceErrorCode``.
public let SCServiceErrorDomain = UnpublishedNames.serviceErrorDomain

/// The domain of errors of the vendor's user interface. Nothing here makes one; it is there for code that compares.
public let SCServiceCloudErrorDomain = UnpublishedNames.serviceCloudErrorDomain

/// What a Salesforce server calls a session that is expired or invalid.
public let SCSOAuthInvalidSessionId = UnpublishedNames.invalidSessionID
