package io.distributedfallback.store;

import jakarta.persistence.Column;
import jakarta.persistence.ColumnResult;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.SqlResultSetMapping;
import jakarta.persistence.Table;
import java.time.OffsetDateTime;

/**
 * The table of breakers. Its columns are what this version needs: asking for the entity is how the table is validated.
 * (But for arrays and JSON, which the providers do not map alike.) Rows are written and read by the
 * statements of {@link PostgresSql} and {@link EvidenceSql} alone, which answer with what a {@link StoredRow} is made of:
 * the mapping gives both providers the types. (EclipseLink would call no constructor that is not public.)
 */
@Entity
@Table(name = "distributed_breaker")
@SqlResultSetMapping(
        name = StoredBreaker.ROW,
        columns = {
            @ColumnResult(name = "name", type = String.class),
            @ColumnResult(name = "version", type = Long.class),
            @ColumnResult(name = "state", type = String.class),
            @ColumnResult(name = "consecutive_failures", type = Integer.class),
            @ColumnResult(name = "failure_threshold", type = Integer.class),
            @ColumnResult(name = "failing_instances", type = String.class),
            @ColumnResult(name = "opened_at", type = Long.class),
            @ColumnResult(name = "closed_at", type = Long.class),
            @ColumnResult(name = "window_calls", type = Integer.class),
            @ColumnResult(name = "window_failures", type = Integer.class),
            @ColumnResult(name = "window_left", type = Long.class),
            @ColumnResult(name = "consecutive_probe_successes", type = Integer.class),
            @ColumnResult(name = "until_next_probe", type = Long.class),
            @ColumnResult(name = "lease_left", type = Long.class),
            @ColumnResult(name = "probe_token", type = Long.class),
            @ColumnResult(name = "ramp_up_left", type = Long.class),
            @ColumnResult(name = "ramp_up_length", type = Long.class),
            @ColumnResult(name = "cooldown_left", type = Long.class),
            @ColumnResult(name = "override_mode", type = String.class),
            @ColumnResult(name = "override_by", type = String.class),
            @ColumnResult(name = "override_reason", type = String.class),
            @ColumnResult(name = "override_left", type = Long.class),
            @ColumnResult(name = "last_failure_at", type = Long.class),
            @ColumnResult(name = "last_failure_kind", type = String.class),
            @ColumnResult(name = "last_failure_text", type = String.class),
            @ColumnResult(name = "last_failure_instance", type = String.class),
            @ColumnResult(name = "updated_at", type = Long.class),
            @ColumnResult(name = "cause", type = String.class),
            @ColumnResult(name = "transaction_id", type = Long.class)
        })
class StoredBreaker {

    static final String ROW = "StoredBreaker.row";

    @Id
    @Column(name = "name")
    String name;

    @Column(name = "version")
    long version;

    @Column(name = "state")
    String state;

    @Column(name = "consecutive_failures")
    int consecutiveFailures;

    @Column(name = "failure_threshold")
    Integer failureThreshold;

    @Column(name = "window_calls")
    int windowCalls;

    @Column(name = "window_failures")
    int windowFailures;

    @Column(name = "window_started_at")
    OffsetDateTime windowStartedAt;

    @Column(name = "window_until")
    OffsetDateTime windowUntil;

    @Column(name = "consecutive_probe_successes")
    int consecutiveProbeSuccesses;

    @Column(name = "opened_at")
    OffsetDateTime openedAt;

    @Column(name = "closed_at")
    OffsetDateTime closedAt;

    @Column(name = "cooldown_until")
    OffsetDateTime cooldownUntil;

    @Column(name = "next_probe_at")
    OffsetDateTime nextProbeAt;

    @Column(name = "probe_lease_until")
    OffsetDateTime probeLeaseUntil;

    @Column(name = "probe_token")
    long probeToken;

    @Column(name = "ramp_up_from")
    OffsetDateTime rampUpFrom;

    @Column(name = "ramp_up_until")
    OffsetDateTime rampUpUntil;

    @Column(name = "override_mode")
    String overrideMode;

    @Column(name = "override_reason")
    String overrideReason;

    @Column(name = "override_by")
    String overrideBy;

    @Column(name = "override_until")
    OffsetDateTime overrideUntil;

    @Column(name = "last_failure_at")
    OffsetDateTime lastFailureAt;

    @Column(name = "last_failure_kind")
    String lastFailureKind;

    @Column(name = "last_failure_text")
    String lastFailureText;

    @Column(name = "last_failure_instance")
    String lastFailureInstance;

    @Column(name = "transition_version")
    Long transitionVersion;

    @Column(name = "updated_at")
    OffsetDateTime updatedAt;

    @Column(name = "active")
    boolean active;

    /** For the provider. */
    protected StoredBreaker() {}
}
