// SecBase.h
public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
