/// A place a model file can be had from.
public enum ModelSource: Sendable, Hashable, CustomStringConvertible {
  /// The file itself.
  case url(String)
  /// Parts of the file, in order, each inside a package on the Python registry; `python3 -m pip` fetches them from the
  /// index it is set up for. Packages are unpacked, never executed.
  case packages([PackagePart])

  /// A few words for people: the host, or the names of the packages.
  public var description: String {
    switch self {
    case .url(let url): String(url.split(separator: "/").dropFirst().first ?? "a URL")
    case .packages(let parts):
      parts.count == 1
        ? "the Python package \(parts[0].package)" : "\(parts.count) Python packages (\(parts[0].package) …)"
    }
  }
}

/// One part of a model file inside a Python package.
public struct PackagePart: Sendable, Hashable {
  /// The package's name.
  public let package: String
  /// The version that holds it.
  public let version: String
  /// The path of the part inside the package's wheel.
  public let member: String
  /// Bytes of the part.
  public let size: Int

  /// A part of a model file.
  public init(package: String, version: String, member: String, size: Int) {
    self.package = package
    self.version = version
    self.member = member
    self.size = size
  }
}
