package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.Timings;
import io.distributedfallback.store.JpaBreakerStore;
import io.distributedfallback.store.JpaStoreSettings;
import io.distributedfallback.store.TestPostgres;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Two thousand breakers, all of them open, in a real database. */
@Tag("storm")
class ManyBreakersTest {

    private static final int BREAKERS = 2_000;
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** So short that each request reads the store. */
    private static final Timings NEVER_FRESH =
            new Timings(Duration.ofNanos(1), Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(20));

    @Test
    void two_thousand_breakers_are_searched_filtered_and_paged_in_well_under_a_second() {
        TestPostgres postgres = TestPostgres.newDatabase();
        JpaBreakerStore store = new JpaBreakerStore(new JpaStoreSettings(
                postgres::dataSource, "jdbc/breakers", SchemaMode.CREATE, "", "one", Duration.ofSeconds(20)));
        try (Rooms app = new Rooms(store, new AtOnce(), NEVER_FRESH, Policy.DEFAULT, Set.of("provider-1"));
                AdminServer server = AdminServer.of(app.room)) {
            app.open("provider-1");
            // All that is in a row and not computed from it, under other names.
            postgres.execute("DO $$ DECLARE columns text; BEGIN"
                    + " SELECT string_agg(quote_ident(column_name), ',') INTO columns FROM information_schema.columns"
                    + " WHERE table_name = 'distributed_breaker' AND is_generated = 'NEVER' AND column_name <> 'name';"
                    + " EXECUTE 'INSERT INTO distributed_breaker (name,' || columns || ') SELECT ''provider-'' || i,'"
                    + " || columns || ' FROM distributed_breaker, generate_series(2, " + BREAKERS + ") i'; END $$");

            JsonNode all = server.json("/api/breakers?size=200&page=9");
            assertThat(all.at("/total").asInt()).isEqualTo(BREAKERS);
            assertThat(all.at("/counts/open").asInt()).isEqualTo(BREAKERS);
            assertThat(all.at("/breakers").size()).isEqualTo(200);
            for (String query : new String[] {"", "?search=-19&state=open", "?size=200&page=5"}) {
                List<Duration> times = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    long start = System.nanoTime();
                    HttpResponse<String> response = server.get(AdminServer.READER, "/api/breakers" + query);
                    times.add(Duration.ofNanos(System.nanoTime() - start));
                    assertThat(response.statusCode()).isEqualTo(200);
                }
                Collections.sort(times);
                Duration median = times.get(times.size() / 2);
                LOG.log(
                        System.Logger.Level.INFO,
                        "{0} breakers, GET api/breakers{1}: median {2} ms, longest {3} ms",
                        BREAKERS,
                        query,
                        median.toMillis(),
                        times.get(times.size() - 1).toMillis());
                assertThat(median).as(query).isLessThan(LONGEST);
            }
        } finally {
            store.close();
        }
    }

    private static final System.Logger LOG = System.getLogger(ManyBreakersTest.class.getName());
}
