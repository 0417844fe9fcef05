/// The scenarios of the official conformance suite of MCP, 0.2.0-alpha.11, and what each of them checks, by its ids.
///
/// A line is a scenario: its name; the revisions it is about; the sets of required scenarios that it is in, or `extension`;
/// its checks.
enum ConformanceTable {
  /// The suite is the client.
  static let server = """
    server-initialize | 2025-06-18 2025-11-25 | 2025 | server-initialize server-session-id-visible-ascii
    server-session-lifecycle | 2025-03-26 2025-06-18 2025-11-25 | - | server-session-initialized-accepted \
      server-session-delete-accepted server-session-terminated-returns-404
    server-stateless | 2026-07-28 | 2026 | sep-2575-request-meta-invalid-missing-meta \
      sep-2575-http-server-meta-invalid-400 sep-2575-request-meta-invalid-missing-protocol-version \
      sep-2575-request-meta-invalid-missing-client-capabilities sep-2575-request-meta-client-info-optional \
      sep-2575-server-implements-discover sep-2575-server-identifies-in-result-meta \
      sep-2575-server-declares-prompts-in-discover sep-2575-discover-capabilities-match-handlers \
      sep-2575-server-unsupported-version-error sep-2575-http-server-unsupported-version-400 \
      sep-2575-http-server-header-mismatch-400 sep-2575-server-rejects-undeclared-capability \
      sep-2575-missing-capability-http-400 sep-2575-http-server-method-not-found-404-initialize \
      sep-2575-http-server-method-not-found-404-ping sep-2575-http-server-method-not-found-404-logging-setlevel \
      sep-2575-http-server-method-not-found-404-resources-subscribe \
      sep-2575-http-server-method-not-found-404-resources-unsubscribe sep-2575-http-server-method-not-found-404 \
      sep-2575-http-server-no-independent-requests-on-stream sep-2575-server-no-log-without-loglevel \
      sep-2575-server-sends-subscription-ack sep-2575-server-tags-subscription-id \
      sep-2575-server-honors-notification-filter sep-2575-server-sends-prompts-list-changed-on-subscription \
      sep-2575-server-sends-tools-list-changed-on-subscription sep-2575-http-server-error-jsonrpc-id
    logging-set-level | 2025-06-18 2025-11-25 | 2025 | logging-set-level
    ping | 2025-06-18 2025-11-25 | 2025 | ping
    completion-complete | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | completion-complete
    tools-list | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-list tools-name-format
    tools-call-simple-text | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-call-simple-text
    tools-call-image | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-call-image
    tools-call-audio | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-call-audio
    tools-call-embedded-resource | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-call-embedded-resource
    tools-call-mixed-content | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-call-mixed-content
    tools-call-with-logging | 2025-06-18 2025-11-25 | 2025 | tools-call-with-logging
    tools-call-error | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-call-error
    tools-call-with-progress | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tools-call-with-progress
    tools-call-sampling | 2025-06-18 2025-11-25 | 2025 | tools-call-sampling
    tools-call-elicitation | 2025-06-18 2025-11-25 | 2025 | tools-call-elicitation
    json-schema-2020-12 | 2025-11-25 2026-07-28 | - | json-schema-2020-12-tool-found json-schema-2020-12-$schema \
      json-schema-2020-12-$defs json-schema-2020-12-additionalProperties sep-2106-composition-keywords-preserved \
      sep-2106-conditional-keywords-preserved sep-2106-anchor-keyword-preserved
    elicitation-sep1034-defaults | 2025-11-25 | 2025 | elicitation-sep1034-string-default \
      elicitation-sep1034-integer-default elicitation-sep1034-number-default elicitation-sep1034-enum-default \
      elicitation-sep1034-boolean-default
    server-sse-polling | 2025-11-25 | - | incoming-sse-event stream-closed server-sse-priming-event \
      server-sse-retry-field server-sse-disconnect-resume
    server-sse-multiple-streams | 2025-11-25 2026-07-28 | 2025 2026 | server-accepts-multiple-post-streams \
      server-sse-streams-functional
    elicitation-sep1330-enums | 2025-11-25 | 2025 | elicitation-sep1330-untitled-single \
      elicitation-sep1330-titled-single elicitation-sep1330-legacy-enumnames elicitation-sep1330-untitled-multi \
      elicitation-sep1330-titled-multi
    resources-list | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | resources-list
    resources-read-text | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | resources-read-text
    resources-read-binary | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | resources-read-binary
    resources-templates-read | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | resources-templates-read
    resources-subscribe | 2025-06-18 2025-11-25 | 2025 | resources-subscribe
    resources-unsubscribe | 2025-06-18 2025-11-25 | 2025 | resources-unsubscribe
    sep-2164-resource-not-found | 2026-07-28 | 2026 | sep-2164-no-empty-contents sep-2164-error-code \
      sep-2164-data-uri
    prompts-list | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prompts-list
    prompts-get-simple | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prompts-get-simple
    prompts-get-with-args | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prompts-get-with-args
    prompts-get-embedded-resource | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prompts-get-embedded-resource
    prompts-get-with-image | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prompts-get-with-image
    dns-rebinding-protection | 2025-11-25 2026-07-28 | 2025 2026 | localhost-host-rebinding-rejected \
      localhost-host-valid-accepted
    caching | 2026-07-28 | 2026 | sep-2549-tools-list-caching-hints sep-2549-prompts-list-caching-hints \
      sep-2549-resources-list-caching-hints sep-2549-resources-templates-list-caching-hints \
      sep-2549-resources-read-caching-hints sep-2549-ttl-non-negative sep-2549-cache-scope-valid
    http-header-validation | 2026-07-28 | - | sep-2243-server-reject-invalid-headers \
      sep-2243-server-reject-error-code sep-2243-server-accepts-whitespace-header-value \
      sep-2243-header-name-case-insensitive
    http-custom-header-server-validation | 2026-07-28 | - | sep-2243-server-decode-base64 \
      sep-2243-server-reject-invalid-param-chars sep-2243-server-reject-param-mismatch \
      sep-2243-server-validate-param-match
    tasks-lifecycle | 2026-07-28 | extension | tasks-sync-tool-call sep-2663-result-type-task-on-create \
      sep-2663-tasks-get-status-working sep-2663-tasks-get-status-completed \
      sep-2663-tool-error-uses-completed-status sep-2663-tasks-get-status-failed sep-2663-cancel-ack-empty-result \
      tasks-cancel-terminal-idempotent-ack
    tasks-capability-negotiation | 2026-07-28 | extension | tasks-extension-advertised \
      sep-2663-tasks-methods-non-declaring sep-2663-server-rejects-undeclared-client tasks-per-request-meta-opt-in
    tasks-wire-fields | 2026-07-28 | extension | tasks-wire-field-renames tasks-no-early-ttl-expiry \
      tasks-no-related-task-meta-on-inlined-result
    tasks-request-state-removal | 2026-07-28 | extension | tasks-request-state-removal-setup
    tasks-mrtr-input | 2026-07-28 | extension | sep-2663-tasks-get-status-input-required \
      tasks-mrtr-tasks-update-resumes tasks-mrtr-partial-fulfillment
    tasks-request-headers | 2026-07-28 | extension | tasks-headers-tolerate-mcp-method-on-tools-call \
      sep-2663-routing-headers-accepted-on-tasks-get tasks-headers-reject-mismatched-method \
      sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get
    tasks-dispatch-and-envelope | 2026-07-28 | extension | sep-2663-tasks-result-removed-method-not-found \
      tasks-removed-tasks-list tasks-server-directed-creation-no-hint sep-2663-legacy-task-param-ignored \
      tasks-immediate-result-shortcut tasks-result-type-complete-on-non-task-responses \
      sep-2663-durable-create-strong-consistency sep-2663-tasks-get-invalid-task-id-32602
    tasks-status-notifications | 2026-07-28 | extension | tasks-status-notifications
    tasks-required-task-error | 2026-07-28 | extension | sep-2663-server-returns-missing-capability-when-required
    tasks-mrtr-composition | 2026-07-28 | extension | sep-2663-mrtr-synchronous-before-task-creation
    input-required-result-basic-elicitation | 2026-07-28 | 2026 | sep-2322-elicitation-incomplete \
      sep-2322-elicitation-complete
    input-required-result-basic-sampling | 2026-07-28 | 2026 | sep-2322-sampling-incomplete \
      sep-2322-sampling-complete
    input-required-result-basic-list-roots | 2026-07-28 | 2026 | sep-2322-list-roots-incomplete \
      sep-2322-list-roots-complete
    input-required-result-request-state | 2026-07-28 | 2026 | sep-2322-request-state-incomplete \
      sep-2322-request-state-complete
    input-required-result-multiple-input-requests | 2026-07-28 | 2026 | sep-2322-multiple-inputs-incomplete \
      sep-2322-multiple-inputs-complete
    input-required-result-multi-round | 2026-07-28 | 2026 | sep-2322-multi-round-r1 sep-2322-multi-round-r2 \
      sep-2322-multi-round-r3
    input-required-result-missing-input-response | 2026-07-28 | 2026 | sep-2322-missing-response-rerequests
    input-required-result-non-tool-request | 2026-07-28 | 2026 | sep-2322-non-tool-incomplete \
      sep-2322-non-tool-complete
    input-required-result-result-type | 2026-07-28 | 2026 | sep-2322-result-type-included
    input-required-result-unsupported-methods | 2026-07-28 | 2026 | sep-2322-not-on-unsupported-requests
    input-required-result-tampered-state | 2026-07-28 | 2026 | sep-2322-reject-tampered-state
    input-required-result-capability-check | 2026-07-28 | 2026 | sep-2322-respect-client-capabilities
    input-required-result-ignore-extra-params | 2026-07-28 | 2026 | sep-2322-ignore-unexpected-params
    input-required-result-validate-input | 2026-07-28 | 2026 | sep-2322-validate-input-responses \
      sep-2322-error-on-protocol-error
    """

  /// The suite is the server.
  static let client = """
    initialize | 2025-06-18 2025-11-25 | 2025 | mcp-client-initialization server-info
    tools_call | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | tool-add-numbers
    elicitation-sep1034-client-defaults | 2025-11-25 | 2025 | client-elicitation-sep1034-string-default \
      client-elicitation-sep1034-integer-default client-elicitation-sep1034-number-default \
      client-elicitation-sep1034-enum-default client-elicitation-sep1034-boolean-default
    sse-retry | 2025-11-25 | 2025 | outgoing-sse-event outgoing-stream-close client-sse-graceful-reconnect \
      client-sse-retry-timing client-sse-last-event-id
    request-metadata | 2026-07-28 | 2026 | sep-2575-http-client-sends-version-header \
      sep-2575-client-populates-meta sep-2575-client-sends-client-info sep-2575-http-version-header-matches-meta \
      sep-2575-client-declares-roots-capability sep-2575-client-declares-sampling-capability \
      sep-2575-client-declares-elicitation-capability sep-2575-client-retry-supported-version
    auth/metadata-default | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used token-request pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token \
      sep-837-application-type-present
    auth/metadata-var1 | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration authorization-request pkce-code-challenge-sent pkce-s256-method-used token-request \
      pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token sep-837-application-type-present
    auth/metadata-var2 | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration authorization-request pkce-code-challenge-sent pkce-s256-method-used token-request \
      pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token sep-837-application-type-present
    auth/metadata-var3 | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration authorization-request pkce-code-challenge-sent pkce-s256-method-used token-request \
      pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token sep-837-application-type-present
    auth/basic-cimd | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested authorization-server-metadata \
      authorization-request pkce-code-challenge-sent pkce-s256-method-used cimd-client-id-used token-request \
      pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token
    auth/scope-from-www-authenticate | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used scope-from-www-authenticate token-request pkce-code-verifier-sent \
      pkce-verifier-matches-challenge valid-bearer-token sep-837-application-type-present
    auth/scope-from-scopes-supported | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used scope-from-scopes-supported token-request pkce-code-verifier-sent \
      pkce-verifier-matches-challenge valid-bearer-token sep-837-application-type-present
    auth/scope-omitted-when-undefined | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used scope-omitted-when-undefined token-request pkce-code-verifier-sent \
      pkce-verifier-matches-challenge valid-bearer-token sep-837-application-type-present
    auth/scope-step-up | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration authorization-request pkce-code-challenge-sent pkce-s256-method-used scope-step-up-initial \
      token-request pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token \
      scope-step-up-escalation sep-837-application-type-present sep-2350-scope-union-on-reauth
    auth/scope-retry-limit | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used scope-retry-auth-attempt token-request pkce-code-verifier-sent \
      pkce-verifier-matches-challenge scope-retry-limit sep-837-application-type-present
    auth/token-endpoint-auth-basic | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used token-request pkce-code-verifier-sent pkce-verifier-matches-challenge \
      token-endpoint-auth-method valid-bearer-token resource-parameter-in-authorization resource-parameter-in-token \
      resource-parameter-valid-uri resource-parameter-consistency sep-837-application-type-present
    auth/token-endpoint-auth-post | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used token-request pkce-code-verifier-sent pkce-verifier-matches-challenge \
      token-endpoint-auth-method valid-bearer-token resource-parameter-in-authorization resource-parameter-in-token \
      resource-parameter-valid-uri resource-parameter-consistency sep-837-application-type-present
    auth/token-endpoint-auth-none | 2025-06-18 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used token-request pkce-code-verifier-sent pkce-verifier-matches-challenge \
      token-endpoint-auth-method valid-bearer-token resource-parameter-in-authorization resource-parameter-in-token \
      resource-parameter-valid-uri resource-parameter-consistency sep-837-application-type-present
    auth/pre-registration | 2025-11-25 2026-07-28 | 2025 2026 | prm-pathbased-requested \
      authorization-server-metadata authorization-request pkce-code-challenge-sent pkce-s256-method-used \
      token-request pkce-code-verifier-sent pkce-verifier-matches-challenge pre-registration-auth valid-bearer-token
    auth/2025-03-26-oauth-metadata-backcompat | 2025-03-26 | - |
    auth/2025-03-26-oauth-endpoint-fallback | 2025-03-26 | - |
    auth/resource-mismatch | 2026-07-28 | 2026 | prm-pathbased-requested resource-mismatch-rejected
    auth/offline-access-scope | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      authorization-request pkce-code-challenge-sent pkce-s256-method-used sep-2207-offline-access-requested \
      token-request pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token \
      sep-2207-client-metadata-grant-types
    auth/offline-access-not-supported | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration sep-837-application-type-present authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used sep-2207-offline-access-not-requested token-request pkce-code-verifier-sent \
      pkce-verifier-matches-challenge valid-bearer-token
    auth/authorization-server-migration | 2026-07-28 | 2026 | prm-pathbased-requested \
      authorization-server-metadata client-registration sep-837-application-type-present authorization-request \
      pkce-code-challenge-sent pkce-s256-method-used token-request pkce-code-verifier-sent \
      pkce-verifier-matches-challenge valid-bearer-token sep-2352-reregister-on-as-change \
      sep-2352-no-reuse-on-as-change sep-2352-no-cross-as-credential-reuse
    auth/iss-supported | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration sep-837-application-type-present authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used token-request pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token \
      sep-2468-client-compare-iss-supported
    auth/iss-not-advertised | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration sep-837-application-type-present authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used token-request pkce-code-verifier-sent pkce-verifier-matches-challenge valid-bearer-token \
      sep-2468-client-proceed-no-iss
    auth/iss-supported-missing | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration sep-837-application-type-present authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used sep-2468-client-reject-missing-iss
    auth/iss-wrong-issuer | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration sep-837-application-type-present authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used sep-2468-client-compare-iss-supported
    auth/iss-unexpected | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration sep-837-application-type-present authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used sep-2468-client-compare-iss-unadvertised
    auth/iss-normalized | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      client-registration sep-837-application-type-present authorization-request pkce-code-challenge-sent \
      pkce-s256-method-used sep-2468-client-no-normalization
    auth/metadata-issuer-mismatch | 2026-07-28 | 2026 | prm-pathbased-requested authorization-server-metadata \
      sep-2468-client-validate-metadata-issuer
    auth/client-credentials-jwt | 2025-11-25 2026-07-28 | extension | prm-pathbased-requested \
      authorization-server-metadata token-request client-credentials-jwt-verified valid-bearer-token
    auth/client-credentials-basic | 2025-11-25 2026-07-28 | extension | prm-pathbased-requested \
      authorization-server-metadata token-request client-credentials-basic-auth valid-bearer-token
    auth/enterprise-managed-authorization | 2025-11-25 2026-07-28 | extension | prm-pathbased-requested \
      authorization-server-metadata complete-flow-token-exchange token-request complete-flow-jwt-bearer \
      valid-bearer-token
    auth/dpop | 2025-11-25 2026-07-28 | extension | prm-pathbased-requested authorization-server-metadata \
      client-registration authorization-request pkce-code-challenge-sent pkce-s256-method-used token-request \
      pkce-code-verifier-sent pkce-verifier-matches-challenge sep-1932-client-token-request-proof \
      sep-1932-client-dpop-auth-scheme sep-1932-client-fresh-proof sep-837-application-type-present
    auth/dpop-nonce | 2025-11-25 2026-07-28 | extension | prm-pathbased-requested authorization-server-metadata \
      client-registration authorization-request pkce-code-challenge-sent pkce-s256-method-used token-request \
      pkce-code-verifier-sent pkce-verifier-matches-challenge sep-1932-client-token-request-proof \
      sep-1932-client-dpop-auth-scheme sep-1932-client-fresh-proof sep-1932-client-as-nonce sep-1932-client-rs-nonce \
      sep-837-application-type-present
    auth/wif-jwt-bearer | 2025-11-25 2026-07-28 | extension | prm-pathbased-requested \
      authorization-server-metadata authorization-request pkce-code-challenge-sent pkce-s256-method-used \
      token-request pkce-code-verifier-sent pkce-verifier-matches-challenge wif-grant-type
    sep-2322-client-request-state | 2026-07-28 | 2026 | sep-2322-client-request-state-echoed \
      sep-2322-client-jsonrpc-id-different sep-2322-client-parallel-isolation sep-2322-client-no-state-omitted \
      sep-2322-default-result-type-complete
    http-standard-headers | 2026-07-28 | 2026 | sep-2243-client-includes-standard-headers
    http-custom-headers | 2026-07-28 | 2026 | sep-2243-client-supports-custom-headers \
      sep-2243-client-mirrors-designated-params sep-2243-client-encode-values sep-2243-client-base64-unsafe \
      sep-2243-client-omit-null
    http-invalid-tool-headers | 2026-07-28 | 2026 | sep-2243-client-reject-invalid-tool \
      sep-2243-x-mcp-header-not-empty sep-2243-x-mcp-header-primitive-only sep-2243-x-mcp-header-unique \
      sep-2243-x-mcp-header-charset
    json-schema-ref-no-deref | 2026-07-28 | 2026 | sep-2106-no-network-ref-deref
    json-schema-2020-12-preservation | 2025-11-25 2026-07-28 | - | json-schema-2020-12-client-tool-found \
      json-schema-2020-12-client-echo-completed json-schema-2020-12-client-$schema-preserved \
      json-schema-2020-12-client-$defs-preserved json-schema-2020-12-client-additionalProperties-preserved \
      sep-2106-client-composition-keywords-preserved sep-2106-client-conditional-keywords-preserved \
      sep-2106-client-anchor-keyword-preserved
    """
}
