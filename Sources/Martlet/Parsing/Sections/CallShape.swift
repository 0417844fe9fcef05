import MartletJSON

/// Reads the JSON object of a call, whichever of the usual keys it uses.
struct CallShape {
  var name: String?
  /// `nil` when the object has no key for them.
  var arguments: JSONValue?
  var id: String?

  init(_ object: JSONObject) {
    for (key, value) in object {
      switch CallKey(key) {
      case .name: if let text = value.stringValue { name = name ?? text }
      case .arguments: arguments = arguments ?? value
      case .function, .call, .calls:
        if let inner = value.objectValue {
          let inner = CallShape(inner)
          name = inner.name ?? name
          arguments = inner.arguments ?? arguments
          id = id ?? inner.id
        } else if let text = value.stringValue {
          name = name ?? text
        }
      case .id: id = id ?? value.stringValue
      case .neutral, nil: break
      }
    }
  }
}
