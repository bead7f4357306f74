package io.distributedfallback.store;

import jakarta.persistence.Column;
import jakarta.persistence.ColumnResult;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.SqlResultSetMapping;
import jakarta.persistence.Table;
import java.time.OffsetDateTime;

/**
 * The table of changes of state and of commands, one row each. Written by the statement that makes the change, and never
 * changed. (Arrays and JSON are left out: the providers do not map them alike.)
 */
@Entity
@Table(name = "distributed_breaker_transition")
@SqlResultSetMapping(
        name = StoredTransition.ENTRY,
        columns = {
            @ColumnResult(name = "id", type = Long.class),
            @ColumnResult(name = "breaker", type = String.class),
            @ColumnResult(name = "made_at", type = Long.class),
            @ColumnResult(name = "from_state", type = String.class),
            @ColumnResult(name = "to_state", type = String.class),
            @ColumnResult(name = "cause", type = String.class),
            @ColumnResult(name = "instance", type = String.class),
            @ColumnResult(name = "consecutive_failures", type = Integer.class),
            @ColumnResult(name = "window_calls", type = Integer.class),
            @ColumnResult(name = "window_failures", type = Integer.class),
            @ColumnResult(name = "probes_passed", type = Integer.class),
            @ColumnResult(name = "failing_instances", type = String.class),
            @ColumnResult(name = "recent_failures", type = String.class),
            @ColumnResult(name = "policy", type = String.class),
            @ColumnResult(name = "ramp_up_percent", type = Integer.class),
            @ColumnResult(name = "commanded_action", type = String.class),
            @ColumnResult(name = "commanded_by", type = String.class),
            @ColumnResult(name = "reason", type = String.class),
            @ColumnResult(name = "from_override", type = String.class),
            @ColumnResult(name = "to_override", type = String.class),
            @ColumnResult(name = "override_until", type = Long.class)
        })
class StoredTransition {

    static final String ENTRY = "StoredTransition.entry";

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

    @Column(name = "ramp_up_percent")
    Integer rampUpPercent;

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
