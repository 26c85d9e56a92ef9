import Entitlements

extension OpenAPI {
  /// The schemas of request and response bodies, by name (`components.schemas`).
  static let schemas = #"""
    {
      "Problem": {
        "type": "object",
        "required": ["type", "title", "status"],
        "properties": {
          "type": {"type": "string"},
          "title": {"type": "string"},
          "status": {"type": "integer"},
          "detail": {"type": "string"},
          "balance": {"type": "integer"}
        }
      },
      "Submission": {
        "type": "object",
        "description": "Either signedTransactions or a receipt.",
        "additionalProperties": false,
        "properties": {
          "signedTransactions": {"type": "array", "minItems": 1, "maxItems": \#(TransactionSubmission.maximumTransactionCount), "items": {"type": "string"}},
          "receipt": {"type": "string"},
          "appAccountToken": {"type": "string", "format": "uuid"}
        }
      },
      "Presentation": {
        "type": "object",
        "required": ["results", "entitlements", "balances"],
        "properties": {
          "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
          "environment": {"type": "string", "description": "The environment of the purchases; missing if no purchase is genuine."},
          "entitlements": {"$ref": "#/components/schemas/Entitlements"},
          "balances": {"$ref": "#/components/schemas/Balances"},
          "token": {"type": "string"},
          "tokenExpires": {"type": "string", "format": "date-time"}
        }
      },
      "Result": {
        "type": "object",
        "required": ["status"],
        "properties": {
          "transactionId": {"type": "string"},
          "productId": {"type": "string"},
          "status": {"enum": ["accepted", "duplicate", "revoked", "rejected"]},
          "reason": {"type": "string"}
        }
      },
      "Entitlements": {"type": "array", "items": {"type": "string"}},
      "Balances": {"type": "object", "additionalProperties": {"type": "integer"}},
      "Holdings": {
        "type": "object",
        "required": ["accountId", "environment", "entitlements", "balances"],
        "properties": {
          "accountId": {"type": "string"},
          "environment": {"type": "string"},
          "entitlements": {"$ref": "#/components/schemas/Entitlements"},
          "balances": {"$ref": "#/components/schemas/Balances"}
        }
      },
      "Spending": {
        "type": "object",
        "required": ["amount", "requestId"],
        "additionalProperties": false,
        "properties": {
          "amount": {"type": "integer", "minimum": 1, "maximum": \#(LedgerLimits.maximumAmount)},
          "requestId": {"type": "string", "format": "uuid"}
        }
      },
      "Spent": {
        "type": "object",
        "required": ["balance", "status", "remaining"],
        "properties": {
          "balance": {"type": "string"},
          "status": {"enum": ["spent", "repeated"]},
          "remaining": {"type": "integer"}
        }
      },
      "Notification": {
        "type": "object",
        "required": ["signedPayload"],
        "properties": {"signedPayload": {"type": "string"}}
      },
      "Recorded": {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"enum": ["recorded", "duplicate"]}}
      },
      "Adjustment": {
        "type": "object",
        "required": ["reason", "operator"],
        "description": "Either a productId, or a balance and an amount.",
        "additionalProperties": false,
        "properties": {
          "productId": {"type": "string"},
          "balance": {"type": "string"},
          "amount": {"type": "integer", "minimum": 1, "maximum": \#(LedgerLimits.maximumAmount)},
          "environment": {"type": "string", "default": "Production"},
          "reason": {"type": "string", "minLength": 1, "maxLength": \#(LedgerLimits.maximumTextLength)},
          "operator": {"type": "string", "minLength": 1, "maxLength": \#(LedgerLimits.maximumTextLength)},
          "requestId": {"type": "string", "format": "uuid"}
        }
      },
      "Adjusted": {
        "type": "object",
        "required": ["status", "entitlements", "balances"],
        "properties": {
          "status": {"enum": ["entered", "repeated"]},
          "entitlements": {"$ref": "#/components/schemas/Entitlements"},
          "balances": {"$ref": "#/components/schemas/Balances"}
        }
      },
      "Account": {
        "type": "object",
        "required": ["accountId", "created", "environments", "entries"],
        "properties": {
          "accountId": {"type": "string"},
          "appAccountTokenDigest": {"type": ["string", "null"]},
          "created": {"type": "string", "format": "date-time"},
          "environments": {"type": "object"},
          "entries": {"type": "array", "items": {"type": "object"}}
        }
      },
      "ProductList": {
        "type": "object",
        "required": ["products"],
        "properties": {
          "products": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["productId", "contentVersion", "packageBytes", "contentBytes", "files"],
              "properties": {
                "productId": {"type": "string"},
                "contentVersion": {"type": "string"},
                "minimumAppVersion": {"type": ["string", "null"]},
                "packageBytes": {"type": "integer"},
                "contentBytes": {"type": "integer"},
                "files": {"type": "integer"},
                "maximumAppVersion": {"type": ["string", "null"]},
                "rollout": {
                  "type": "object",
                  "required": ["share", "since"],
                  "properties": {
                    "share": {"type": "number", "minimum": 0, "maximum": 1},
                    "since": {"type": "string", "format": "date-time"},
                    "until": {"type": ["string", "null"], "format": "date-time"}
                  }
                },
                "notes": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "required": ["language", "type", "bytes", "path"],
                    "properties": {
                      "language": {"type": "string"},
                      "type": {"type": "string"},
                      "bytes": {"type": "integer"},
                      "path": {"type": "string"}
                    }
                  }
                },
                "metadata": {"type": "object", "additionalProperties": {"type": "string"}}
              }
            }
          }
        }
      },
      "Status": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}}
    }
    """#
}
