package io.distributedfallback.store;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.BreakerRow;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.Change;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryQuery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyText;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.limit.PermitStore;
import jakarta.persistence.spi.PersistenceProvider;
import jakarta.persistence.spi.PersistenceProviderResolverHolder;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Breakers as rows of a PostgreSQL table. Each change is one statement in a transaction of its own, on a connection of its
 * own: of {@link EvidenceSql} if it counts, of {@link PostgresSql}, {@link LeaseSql} or {@link HistorySql} otherwise.
 *
 * <p>Nothing is looked up or opened before the first use. What fails then is tried again with the next. Thread-safe.
 */
public final class JpaBreakerStore implements BreakerStore, AutoCloseable {

    /** The years that every PostgreSQL timestamp can hold; what a provider may ask for beyond is cut anyway. */
    private static final Instant LATEST_MOMENT =
            LocalDate.of(9999, 1, 1).atStartOfDay(ZoneOffset.UTC).toInstant();

    private final BreakerDatabase database;
    private final String prefix;
    private final String instance;

    /**
     * Makes a store without touching anything.
     *
     * @param settings what it needs to know
     */
    public JpaBreakerStore(JpaStoreSettings settings) {
        this(
                settings,
                () -> PersistenceProviderResolverHolder.getPersistenceProviderResolver()
                        .getPersistenceProviders());
    }

    JpaBreakerStore(JpaStoreSettings settings, Supplier<List<PersistenceProvider>> providers) {
        database = new BreakerDatabase(settings, providers);
        prefix = settings.prefix();
        instance = settings.instance();
    }

    /**
     * Does ahead of the first use what that would have to do without a connection: most of the time that it takes.
     * Never fails: the first use tries again, and tells.
     */
    public void prepare() {
        database.prepare();
    }

    /**
     * Brings the tables in order, unless that has been done.
     *
     * @throws io.distributedfallback.core.StoreException if that cannot be done
     */
    public void requireTables() {
        database.requireTables();
    }

    @Override
    public List<BreakerRow> readAll() {
        return database.answer(PostgresSql.READ_ALL, prefix).stream()
                .map(StoredRow::row)
                .toList();
    }

    @Override
    public void requireWritable() {
        database.value(PostgresSql.REQUIRE_WRITABLE);
    }

    @Override
    public Optional<Change> record(String breaker, Evidence evidence, Policy policy) {
        if (evidence.calls() == 0) {
            return Optional.empty();
        }
        if (evidence.failures().isEmpty()) {
            return write(EvidenceSql.RECORD_SUCCESSES, prefix + breaker, evidence.calls());
        }
        Failures failures = evidence.failures().get();
        return write(
                EvidenceSql.RECORD,
                prefix + breaker,
                evidence.calls(),
                failures.count(),
                evidence.firstRun(),
                evidence.longestRun(),
                evidence.lastRun(),
                failures.kind().name(),
                failures.text(),
                instance,
                policy.failureThreshold(),
                policy.failureRatio().orElse(0),
                micros(policy.window()),
                policy.minimumCalls(),
                policy.quorum(),
                micros(policy.probeInterval()),
                PolicyText.of(policy),
                failures.ramp(),
                micros(evidence.age()));
    }

    @Override
    public int retire(Duration idle) {
        database.value(RetirementSql.PUT_ASIDE, prefix);
        return ((Number) database.value(RetirementSql.DELETE, prefix, micros(idle))).intValue();
    }

    @Override
    public Optional<Boolean> wasCommitted(long transaction) {
        return switch ((String) database.value(PostgresSql.FATE, transaction)) {
            case "committed" -> Optional.of(true);
            case "aborted" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    @Override
    public Change coolDown(String breaker, Optional<RetryAfter> retryAfter, Failures failure, Policy policy) {
        Duration delay = policy.cooldown();
        Instant moment = Instant.EPOCH;
        boolean momentGiven = false;
        if (retryAfter.orElse(null) instanceof RetryAfter.In in) {
            delay = in.delay();
        } else if (retryAfter.orElse(null) instanceof RetryAfter.At at) {
            moment = at.moment();
            momentGiven = true;
        }
        return write(
                        PostgresSql.COOL_DOWN,
                        prefix + breaker,
                        failure.kind().name(),
                        failure.text(),
                        instance,
                        micros(delay.compareTo(policy.maxCooldown()) < 0 ? delay : policy.maxCooldown()),
                        momentGiven ? 1 : 0,
                        microsSince1970(moment),
                        micros(policy.maxCooldown()))
                .orElseThrow();
    }

    @Override
    public Optional<Change> acquireProbe(String breaker, Policy policy) {
        return write(LeaseSql.ACQUIRE_PROBE, prefix + breaker, micros(policy.probeLease()));
    }

    @Override
    public Optional<Change> reportProbe(String breaker, long token, ProbeVerdict verdict, Policy policy) {
        return write(
                LeaseSql.REPORT_PROBE,
                prefix + breaker,
                token,
                verdict.name(),
                policy.probeSuccesses(),
                micros(policy.probeInterval()),
                instance,
                PolicyText.of(policy),
                policy.rampUp().map(JpaBreakerStore::micros).orElse(0L));
    }

    @Override
    public Change command(String breaker, OperatorCommand command) {
        StoredRow row = database.answer(
                        HistorySql.COMMAND,
                        prefix + breaker,
                        command.action().name(),
                        command.by(),
                        command.reason(),
                        command.expiry().map(JpaBreakerStore::micros).orElse(0L),
                        instance)
                .get(0);
        BreakerCommanded commanded = new BreakerCommanded(breaker, command, instance, row.updatedAt());
        Change change = row.toChange(instance);
        return new Change(change.row(), change.transition(), Optional.of(commanded));
    }

    @Override
    public List<HistoryEntry> history(HistoryQuery query) {
        return database.entries(
                query.breaker().isPresent() ? HistorySql.OF_ONE : HistorySql.OF_ALL,
                prefix + query.breaker().orElse(""),
                query.before().orElse(Long.MAX_VALUE),
                query.limit());
    }

    @Override
    public int trimHistory(Duration retention) {
        return ((Number) database.value(RetirementSql.TRIM_HISTORY, prefix, micros(retention))).intValue();
    }

    /** The permits of fallbacks with a limit, by the same way to the same database. */
    public PermitStore permits() {
        return new JpaPermitStore(database, prefix);
    }

    /** Closes what the first use opened. Every later use fails. */
    @Override
    public void close() {
        database.close();
    }

    private Optional<Change> write(String sql, Object... parameters) {
        return database.answer(sql, parameters).stream().findFirst().map(row -> row.toChange(instance));
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    static long microsSince1970(Instant moment) {
        Instant cut =
                moment.isBefore(Instant.EPOCH) ? Instant.EPOCH : moment.isAfter(LATEST_MOMENT) ? LATEST_MOMENT : moment;
        return cut.getEpochSecond() * 1_000_000 + cut.getNano() / 1_000;
    }
}
