package io.distributedfallback.it.ladder;

import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.harness.Redis;
import io.distributedfallback.it.ladder.Story.Phase;
import io.distributedfallback.it.ladder.app.Cache;
import io.distributedfallback.it.ladder.app.Call;
import io.distributedfallback.it.ladder.app.Outcome;
import io.distributedfallback.it.ladder.app.Products;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis before a PostgreSQL, two instances, and twenty times the load that the database may get. Redis dies, comes
 * back empty, hangs, and comes back. What is claimed does not depend on how quick the machine is.
 */
@Timeout(240)
class CacheStoryIT {

    /** Calls that one instance has under way at most. */
    private static final int VISITORS = 16;

    private static final int THRESHOLD = 3;

    private static final String YOUNG = "Redis is dead, last good results are young";

    private static final String OLD = "Redis is dead, last good results are too old";
    private static final String HANGS = "Redis hangs";
    private static final String RAMP = "the ramp-up";

    private static Chronicle chronicle;
    private static long scans;
    private static String transitions;

    @BeforeAll
    static void happen() {
        try (Postgres postgres = Postgres.empty();
                Redis redis = Redis.empty()) {
            Story story = new Story(postgres, redis);
            chronicle = story.tell();
            scans = story.scans();
            transitions = story.transitions();
        }
    }

    @AfterAll
    static void show() {
        if (chronicle != null) {
            System.out.println(chronicle.table());
            System.out.println(figures());
        }
    }

    private static String figures() {
        List<Call> refused = refusedAtOnce();
        List<Call> waited = chronicle.all().filter(Call::timedOut).toList();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d calls, %,d queries, %d at most in one second; %d calls waited for the time-out;"
                        + " refused: p50 %.3f ms, p99 %.3f ms; %s%nshare of Redis in each tenth of the ramp-up:",
                chronicle.all().count(),
                chronicle.queries().length,
                chronicle.mostQueriesInASecond(),
                waited.size(),
                Chronicle.millis(refused, 0.5),
                Chronicle.millis(refused, 0.99),
                transitions));
        for (int tenth = 0; tenth < 10; tenth++) {
            Phase part = chronicle.tenths(chronicle.phase(RAMP), tenth, tenth + 1);
            text.append(String.format(Locale.ROOT, " %.0f %%", 100 * chronicle.share(part, Call::askedRedis)));
        }
        return text.toString();
    }

    private static List<Call> refusedAtOnce() {
        return chronicle
                .all()
                .filter(call -> is(call, Outcome.REFUSED) && !call.timedOut())
                .toList();
    }

    private static boolean is(Call call, Outcome... outcomes) {
        return List.of(outcomes).contains(call.outcome());
    }

    @Test
    void while_redis_is_well_the_database_is_not_asked() {
        Phase healthy = chronicle.phase("healthy");
        assertThat(chronicle.whollyIn(healthy))
                .isNotEmpty()
                .allMatch(call -> is(call, Outcome.REDIS))
                .noneMatch(Call::queried);
    }

    /** What {@code FallbackLimit} promises, with half a second for the database to answer on a busy machine. */
    @Test
    void the_database_never_gets_more_than_the_cap_whatever_happens() {
        long[] queries = chronicle.queries();
        double burst = Products.CAP / 10.0;
        double slack = 0.25 + 0.5;
        for (Phase phase : chronicle.phases()) {
            assertThat(chronicle.mostQueriesInASecond(phase)).as(phase.name()).isLessThanOrEqualTo((int)
                    (Products.CAP * (1 + slack) + burst));
        }
        double seconds = (queries[queries.length - 1] - queries[0]) / 1e6;
        assertThat(queries.length).isLessThanOrEqualTo((int) (Products.CAP * (seconds + slack) + burst));
    }

    @Test
    void the_database_itself_has_counted_as_many_queries() {
        assertThat(scans).isEqualTo(chronicle.queries().length);
    }

    @Test
    void callers_get_last_good_answers_first_then_what_the_limit_lets_through_and_the_rest_is_refused() {
        Phase young = chronicle.phase(YOUNG);
        Phase old = chronicle.phase(OLD);
        assertThat(chronicle.share(young, call -> is(call, Outcome.LAST_GOOD))).isGreaterThan(0.8);
        Phase late = chronicle.tenths(old, 2, 10);
        assertThat(chronicle.share(late, call -> is(call, Outcome.LAST_GOOD))).isLessThan(0.01);
        assertThat(chronicle.share(late, call -> is(call, Outcome.REFUSED))).isGreaterThan(0.5);
        assertThat(chronicle.of(late).stream().filter(Call::queried).count())
                .isGreaterThan((long) (Products.CAP * late.seconds() / 3));
    }

    @Test
    void every_call_is_answered_or_refused_and_none_ends_in_anything_else() {
        assertThat(chronicle.all().filter(call -> is(call, Outcome.FAILED))).isEmpty();
    }

    @Test
    void nobody_waits_for_a_time_out_but_the_calls_that_find_the_outage_out() {
        for (int instance = 0; instance < Story.INSTANCES; instance++) {
            int number = instance;
            assertThat(chronicle.all().filter(Call::timedOut).filter(call -> call.instance() == number))
                    .hasSizeBetween(1, VISITORS + THRESHOLD);
        }
        assertThat(chronicle.of(chronicle.phase(YOUNG))).noneMatch(Call::timedOut);
    }

    @Test
    void whoever_is_refused_is_refused_at_once() {
        List<Call> refused = refusedAtOnce();
        assertThat(refused).hasSizeGreaterThan(1_000);
        assertThat(Chronicle.millis(refused, 0.99)).isLessThan(Cache.TIMEOUT_MILLIS / 2.0);
    }

    @Test
    void an_open_redis_is_not_tried() {
        Phase dead = chronicle.tenths(chronicle.phase(OLD), 1, 10);
        assertThat(chronicle.of(dead).stream().filter(Call::askedRedis)).isEmpty();
        Phase hangs = chronicle.tenths(chronicle.phase(HANGS), 3, 10);
        assertThat(chronicle.of(hangs).stream().filter(Call::askedRedis)).isEmpty();
    }

    @Test
    void traffic_ramps_back_in_a_straight_line() {
        Phase ramp = chronicle.phase(RAMP);
        for (int tenth = 0; tenth < 10; tenth += 2) {
            Phase part = chronicle.tenths(ramp, tenth, tenth + 2);
            assertThat(chronicle.share(part, Call::askedRedis))
                    .as("from %d tenths on", tenth)
                    .isBetween((tenth + 1) / 10.0 - 0.15, (tenth + 1) / 10.0 + 0.15);
        }
        assertThat(transitions).matches("OPEN \\w+, CLOSED \\w+, OPEN \\w+, CLOSED \\w+");
    }

    @Test
    void a_redis_that_came_back_empty_is_filled_again_through_the_same_limit() {
        Phase after = chronicle.phase("after the ramp-up");
        assertThat(chronicle.share(after, Call::askedRedis)).isEqualTo(1.0);
        assertThat(chronicle.share(chronicle.tenths(after, 5, 10), call -> is(call, Outcome.REDIS)))
                .isGreaterThan(0.75);
    }
}
