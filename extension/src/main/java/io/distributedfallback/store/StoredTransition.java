package io.distributedfallback.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.OffsetDateTime;

/**
 * The table of changes of state and of commands, one row each. Written by the statement that makes the change, and never
 * changed. (Arrays and JSON are left out: the providers do not map them alike.)
 */
@Entity
@Table(name = "distributed_breaker_transition")
class StoredTransition {

    @Id
    @Column(name = "id")
    long id;

    @Column(name = "breaker")
    String breaker;

    @Column(name = "version")
    long version;

    @Column(name = "from_state")
    String from;

    @Column(name = "to_state")
    String to;

    @Column(name = "cause")
    String cause;

    @Column(name = "instance")
    String instance;

    @Column(name = "made_at")
    OffsetDateTime madeAt;

    @Column(name = "evidence_count")
    int evidenceCount;

    @Column(name = "last_failure_kind")
    String lastFailureKind;

    @Column(name = "last_failure_text")
    String lastFailureText;

    @Column(name = "consecutive_failures")
    Integer consecutiveFailures;

    @Column(name = "window_calls")
    Integer windowCalls;

    @Column(name = "window_failures")
    Integer windowFailures;

    @Column(name = "probes_passed")
    Integer probesPassed;

    @Column(name = "policy")
    String policy;

    @Column(name = "commanded_action")
    String commandedAction;

    @Column(name = "commanded_by")
    String commandedBy;

    @Column(name = "reason")
    String reason;

    @Column(name = "from_override")
    String fromOverride;

    @Column(name = "to_override")
    String toOverride;

    @Column(name = "override_until")
    OffsetDateTime overrideUntil;

    /** For the provider. */
    protected StoredTransition() {}
}
