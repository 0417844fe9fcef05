/// A number in a model's vocabulary.
package typealias Token = Int32
