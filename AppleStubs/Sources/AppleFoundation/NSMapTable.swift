public import Foundation

/// https://developer.apple.com/documentation/foundation/nsmaptable
open class NSMapTable<KeyType: AnyObject, ObjectType: AnyObject>: NSObject {
  open class func weakToStrongObjects() -> NSMapTable<KeyType, ObjectType> { NSMapTable() }
  open func object(forKey aKey: KeyType?) -> ObjectType? { nil }
  open func setObject(_ anObject: ObjectType?, forKey aKey: KeyType?) {}
}
