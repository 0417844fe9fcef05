package import MartletJSON

package enum FixtureSchemas {
  /// A form whose fields have defaults, of each kind.
  static let defaults: JSONValue = [
    "type": "object",
    "properties": [
      "name": ["type": "string", "description": "Who", "default": "John Doe"],
      "age": ["type": "integer", "description": "How old", "default": 30],
      "score": ["type": "number", "description": "How good", "default": 95.5],
      "status": [
        "type": "string", "description": "How it is", "enum": ["active", "inactive", "pending"], "default": "active",
      ],
      "verified": ["type": "boolean", "description": "Whether it is known", "default": true],
    ],
    "required": [],
  ]

  /// A form with each way to say what can be chosen.
  static let choices: JSONValue = [
    "type": "object",
    "properties": [
      "untitledSingle": ["type": "string", "enum": ["option1", "option2", "option3"]],
      "titledSingle": [
        "type": "string",
        "oneOf": [
          ["const": "value1", "title": "First Option"], ["const": "value2", "title": "Second Option"],
          ["const": "value3", "title": "Third Option"],
        ],
      ],
      "legacyEnum": [
        "type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"],
      ],
      "untitledMulti": [
        "type": "array", "items": ["type": "string", "enum": ["option1", "option2", "option3"]],
      ],
      "titledMulti": [
        "type": "array",
        "items": [
          "anyOf": [
            ["const": "value1", "title": "First Choice"], ["const": "value2", "title": "Second Choice"],
            ["const": "value3", "title": "Third Choice"],
          ]
        ],
      ],
    ],
    "required": [],
  ]

  /// Keywords that a server must not lose on the way.
  package static let full: JSONValue = [
    "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
    "$defs": [
      "address": [
        "$anchor": "addressDef", "type": "object",
        "properties": ["street": ["type": "string"], "city": ["type": "string"]],
      ]
    ],
    "properties": [
      "name": ["type": "string"], "address": ["$ref": "#/$defs/address"],
      "contactMethod": ["type": "string", "enum": ["phone", "email"]], "phone": ["type": "string"],
      "email": ["type": "string"],
    ],
    "allOf": [["anyOf": [["required": ["phone"]], ["required": ["email"]]]]],
    "if": ["properties": ["contactMethod": ["const": "phone"]], "required": ["contactMethod"]],
    "then": ["required": ["phone"]], "else": ["required": ["email"]], "additionalProperties": false,
  ]
}
