/// The description of the API for programs (OpenAPI 3.1). A test holds it against `Endpoint`.
enum OpenAPI {
  static let document = #"""
    {
      "openapi": "3.1.0",
      "info": {
        "title": "iapkg-server",
        "version": "1",
        "description": "Gives the content of in-app purchases to those who paid for it."
      },
      "paths": {
        "/v1/products": {
          "get": {
            "operationId": "products",
            "summary": "The products of the catalog.",
            "responses": {
              "200": {
                "description": "The products.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ProductList"}}}
              },
              "304": {"description": "It is the list that If-None-Match names."},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          },
          "head": {
            "operationId": "productsHead",
            "summary": "The products of the catalog.",
            "responses": {
              "200": {"description": "The products."},
              "304": {"description": "It is the list that If-None-Match names."},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/transactions": {
          "post": {
            "operationId": "transactions",
            "summary": "Present purchases, and get a token.",
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Submission"}}}
            },
            "responses": {
              "200": {
                "description": "What came of each.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Presentation"}}}
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "413": {"$ref": "#/components/responses/TooLarge"},
              "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/entitlements": {
          "get": {
            "operationId": "entitlements",
            "summary": "What the account may fetch, and its balances.",
            "security": [{"account": []}],
            "responses": {
              "200": {
                "description": "What the account holds.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Holdings"}}}
              },
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/store/catalog.json": {
          "get": {
            "operationId": "catalog",
            "summary": "The catalog of the store.",
            "security": [{"account": []}],
            "responses": {
              "200": {
                "description": "The object.",
                "content": {"application/octet-stream": {}, "application/json": {}}
              },
              "206": {
                "description": "The part that Range asks for.",
                "content": {"application/octet-stream": {}, "application/json": {}}
              },
              "304": {"description": "It is the one that If-None-Match names."},
              "307": {"description": "It is at Location for 15 minutes."},
              "416": {"description": "No byte of it is in the range."},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          },
          "head": {
            "operationId": "catalogHead",
            "summary": "The catalog of the store.",
            "security": [{"account": []}],
            "responses": {
              "200": {"description": "The object."},
              "206": {"description": "The part that Range asks for."},
              "304": {"description": "It is the one that If-None-Match names."},
              "307": {"description": "It is at Location for 15 minutes."},
              "416": {"description": "No byte of it is in the range."},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/store/products/{productId}/{name}": {
          "get": {
            "operationId": "productReleases",
            "summary": "The releases of a product.",
            "security": [{"account": []}],
            "responses": {
              "200": {
                "description": "The object.",
                "content": {"application/octet-stream": {}, "application/json": {}}
              },
              "206": {
                "description": "The part that Range asks for.",
                "content": {"application/octet-stream": {}, "application/json": {}}
              },
              "304": {"description": "It is the one that If-None-Match names."},
              "307": {"description": "It is at Location for 15 minutes."},
              "416": {"description": "No byte of it is in the range."},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          },
          "head": {
            "operationId": "productReleasesHead",
            "summary": "The releases of a product.",
            "security": [{"account": []}],
            "responses": {
              "200": {"description": "The object."},
              "206": {"description": "The part that Range asks for."},
              "304": {"description": "It is the one that If-None-Match names."},
              "307": {"description": "It is at Location for 15 minutes."},
              "416": {"description": "No byte of it is in the range."},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          },
          "parameters": [
            {
              "name": "productId",
              "in": "path",
              "required": true,
              "description": "The product.",
              "schema": {"type": "string", "minLength": 1}
            },
            {
              "name": "name",
              "in": "path",
              "required": true,
              "description": "The name of the object.",
              "schema": {"type": "string", "minLength": 1}
            }
          ]
        },
        "/v1/store/releases/{productId}/{name}": {
          "get": {
            "operationId": "release",
            "summary": "A package or its index, for who is entitled to the product.",
            "security": [{"account": []}],
            "responses": {
              "200": {
                "description": "The object.",
                "content": {"application/octet-stream": {}, "application/json": {}}
              },
              "206": {
                "description": "The part that Range asks for.",
                "content": {"application/octet-stream": {}, "application/json": {}}
              },
              "304": {"description": "It is the one that If-None-Match names."},
              "307": {"description": "It is at Location for 15 minutes."},
              "416": {"description": "No byte of it is in the range."},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "403": {"$ref": "#/components/responses/NotEntitled"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          },
          "head": {
            "operationId": "releaseHead",
            "summary": "A package or its index, for who is entitled to the product.",
            "security": [{"account": []}],
            "responses": {
              "200": {"description": "The object."},
              "206": {"description": "The part that Range asks for."},
              "304": {"description": "It is the one that If-None-Match names."},
              "307": {"description": "It is at Location for 15 minutes."},
              "416": {"description": "No byte of it is in the range."},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "403": {"$ref": "#/components/responses/NotEntitled"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          },
          "parameters": [
            {
              "name": "productId",
              "in": "path",
              "required": true,
              "description": "The product.",
              "schema": {"type": "string", "minLength": 1}
            },
            {
              "name": "name",
              "in": "path",
              "required": true,
              "description": "The name of the object.",
              "schema": {"type": "string", "minLength": 1}
            }
          ]
        },
        "/v1/balances/{balance}/spend": {
          "parameters": [
            {
              "name": "balance",
              "in": "path",
              "required": true,
              "description": "The name of the balance.",
              "schema": {"type": "string", "minLength": 1}
            }
          ],
          "post": {
            "operationId": "spend",
            "summary": "Spend, once for each requestId.",
            "security": [{"account": []}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Spending"}}}
            },
            "responses": {
              "200": {
                "description": "What remains.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Spent"}}}
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "409": {"$ref": "#/components/responses/Conflict"},
              "413": {"$ref": "#/components/responses/TooLarge"},
              "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/notifications": {
          "post": {
            "operationId": "notifications",
            "summary": "App Store Server Notifications, version 2.",
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Notification"}}}
            },
            "responses": {
              "200": {
                "description": "It is entered.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Recorded"}}}
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "413": {"$ref": "#/components/responses/TooLarge"},
              "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/admin/accounts/{accountId}": {
          "parameters": [
            {
              "name": "accountId",
              "in": "path",
              "required": true,
              "description": "The account.",
              "schema": {"type": "string", "minLength": 1}
            }
          ],
          "get": {
            "operationId": "account",
            "summary": "What is known of an account.",
            "security": [{"administrator": []}],
            "responses": {
              "200": {
                "description": "The account.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Account"}}}
              },
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/admin/accounts/{accountId}/grant": {
          "parameters": [
            {
              "name": "accountId",
              "in": "path",
              "required": true,
              "description": "The account.",
              "schema": {"type": "string", "minLength": 1}
            }
          ],
          "post": {
            "operationId": "grant",
            "summary": "Give a product or an amount.",
            "security": [{"administrator": []}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Adjustment"}}}
            },
            "responses": {
              "200": {
                "description": "What the account holds now.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Adjusted"}}}
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "409": {"$ref": "#/components/responses/Conflict"},
              "413": {"$ref": "#/components/responses/TooLarge"},
              "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/v1/admin/accounts/{accountId}/revoke": {
          "parameters": [
            {
              "name": "accountId",
              "in": "path",
              "required": true,
              "description": "The account.",
              "schema": {"type": "string", "minLength": 1}
            }
          ],
          "post": {
            "operationId": "revoke",
            "summary": "Take a product or an amount away.",
            "security": [{"administrator": []}],
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Adjustment"}}}
            },
            "responses": {
              "200": {
                "description": "What the account holds now.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Adjusted"}}}
              },
              "400": {"$ref": "#/components/responses/BadRequest"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "404": {"$ref": "#/components/responses/NotFound"},
              "409": {"$ref": "#/components/responses/Conflict"},
              "413": {"$ref": "#/components/responses/TooLarge"},
              "415": {"$ref": "#/components/responses/UnsupportedMediaType"},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/healthz": {
          "get": {
            "operationId": "health",
            "summary": "Whether the process runs.",
            "responses": {
              "200": {
                "description": "It does.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}
              }
            }
          }
        },
        "/readyz": {
          "get": {
            "operationId": "readiness",
            "summary": "Whether database and store answer.",
            "responses": {
              "200": {
                "description": "They do.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}
              },
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/metrics": {
          "get": {
            "operationId": "metrics",
            "summary": "What the server counts, for Prometheus.",
            "responses": {"200": {"description": "Text format 0.0.4.", "content": {"text/plain": {}}}}
          }
        },
        "/openapi.json": {
          "get": {
            "operationId": "description",
            "summary": "This document.",
            "responses": {
              "200": {"description": "The document.", "content": {"application/json": {}}},
              "429": {"$ref": "#/components/responses/TooManyRequests"},
              "500": {"$ref": "#/components/responses/InternalError"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        }
      },
      "components": {
        "securitySchemes": {
          "account": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
          "administrator": {"type": "http", "scheme": "bearer"}
        },
        "responses": {
          "BadRequest": {
            "description": "The body is not what is expected.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "Unauthorized": {
            "description": "The token is missing or not valid.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "NotEntitled": {
            "description": "The account has not bought the product.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "NotFound": {
            "description": "There is no such thing.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "Conflict": {
            "description": "The balance is too small, or another request had this requestId.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "TooLarge": {
            "description": "The body is too large.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "UnsupportedMediaType": {
            "description": "The body is not JSON.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "TooManyRequests": {
            "description": "There were too many requests; Retry-After says when the next may come.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "InternalError": {
            "description": "The server has a defect.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          },
          "Unavailable": {
            "description": "The server cannot do this now; it may be asked again.",
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
          }
        },
        "schemas": {
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
            "properties": {
              "signedTransactions": {"type": "array", "minItems": 1, "maxItems": 200, "items": {"type": "string"}},
              "receipt": {"type": "string"},
              "appAccountToken": {"type": "string", "format": "uuid"}
            }
          },
          "Presentation": {
            "type": "object",
            "required": ["results", "environment", "entitlements", "balances"],
            "properties": {
              "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
              "environment": {"type": "string"},
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
            "properties": {
              "amount": {"type": "integer", "minimum": 1, "maximum": 1000000000},
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
            "required": ["reason"],
            "description": "Either a productId, or a balance and an amount.",
            "properties": {
              "productId": {"type": "string"},
              "balance": {"type": "string"},
              "amount": {"type": "integer", "minimum": 1, "maximum": 1000000000},
              "environment": {"type": "string", "default": "Production"},
              "reason": {"type": "string", "minLength": 1, "maxLength": 1000},
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
              "appAccountToken": {"type": ["string", "null"]},
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
                    "packageBytes": {"type": "integer"},
                    "contentBytes": {"type": "integer"},
                    "files": {"type": "integer"}
                  }
                }
              }
            }
          },
          "Status": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}}
        }
      }
    }

    """#
}
