package io.distributedfallback.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.OffsetDateTime;

/** The table of changes of state, one row each. Written by the statement that makes the change, and never changed. */
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

    /** For the provider. */
    protected StoredTransition() {}
}
