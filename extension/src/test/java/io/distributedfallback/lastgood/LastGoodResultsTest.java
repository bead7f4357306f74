package io.distributedfallback.lastgood;

import io.distributedfallback.lastgood.LastGoodResults.Result;
import io.distributedfallback.lastgood.LastGoodResults.Room;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is kept of a method, by its arguments and by time. */
class LastGoodResultsTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private long now = -5;
    private final List<Throwable> troubles = new ArrayList<>();
    private final LastGoodResults results = results(100, HOUR, 0, 1);

    private LastGoodResults results(int maxEntries, Duration maxAge, int... positions) {
        return new LastGoodResults(new Room(maxEntries, maxAge), positions, () -> now, troubles::add);
    }

    private Optional<Object> find(Object... arguments) {
        return results.find(results.keyOf(arguments)).map(Result::value);
    }

    private void keep(Object value, Object... arguments) {
        results.keep(results.keyOf(arguments), value);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void what_was_returned_for_the_same_arguments_is_found() {
        keep("games", "zelda", 10);
        assertThat(find("zelda", 10)).contains("games");
        assertThat(find("zelda", 11)).isEmpty();
        assertThat(find(10, "zelda")).isEmpty();
    }

    @Test
    void the_last_to_end_has_the_say() {
        ResultKey first = results.keyOf(new Object[] {"zelda", 1});
        keep("of the second call", "zelda", 1);
        results.keep(first, "of the first call, which took longer");
        assertThat(find("zelda", 1)).contains("of the first call, which took longer");
    }

    @Test
    void a_result_is_an_answer_up_to_its_age_and_not_a_nanosecond_longer() {
        keep("games", "zelda", 1);
        pass(HOUR);
        assertThat(results.find(results.keyOf(new Object[] {"zelda", 1}))).contains(new Result("games", HOUR));
        now++;
        assertThat(find("zelda", 1)).isEmpty();
    }

    @Test
    void a_result_that_is_replaced_within_a_second_has_its_whole_time_before_it() {
        keep("old", "zelda", 1);
        pass(Duration.ofMillis(999));
        keep("new", "zelda", 1);
        pass(HOUR);
        assertThat(find("zelda", 1)).contains("new");
    }

    @Test
    void a_short_time_is_kept_as_exactly() {
        LastGoodResults shortLived = results(10, Duration.ofMillis(1));
        ResultKey key = shortLived.keyOf(new Object[0]);
        shortLived.keep(key, "games");
        pass(Duration.ofMillis(1));
        assertThat(shortLived.find(key)).isPresent();
        now++;
        assertThat(shortLived.find(key)).isEmpty();
    }

    @Test
    void nothing_is_a_result_as_well() {
        results.keep(results.keyOf(new Object[] {null, 1}), null);
        assertThat(results.find(results.keyOf(new Object[] {null, 1}))).contains(new Result(null, Duration.ZERO));
    }

    @Test
    void a_method_without_parameters_has_one_result() {
        LastGoodResults single = results(10, HOUR);
        single.keep(single.keyOf(new Object[0]), "games");
        assertThat(single.find(single.keyOf(new Object[0]))).isPresent();
        assertThat(troubles).isEmpty();
    }

    @Test
    void only_the_parameters_that_are_keys_tell_results_apart() {
        LastGoodResults byTitle = results(10, HOUR, 1);
        byTitle.keep(byTitle.keyOf(new Object[] {"trace-1", "zelda"}), "games");
        assertThat(byTitle.find(byTitle.keyOf(new Object[] {"trace-2", "zelda"})))
                .isPresent();
        assertThat(byTitle.find(byTitle.keyOf(new Object[] {"trace-1", "mario"})))
                .isEmpty();
    }

    @Test
    void there_are_never_more_than_there_is_room_for() {
        LastGoodResults few = results(10, HOUR, 0);
        IntStream.range(0, 1000).forEach(i -> few.keep(few.keyOf(new Object[] {i}), i));
        assertThat(IntStream.range(0, 1000)
                        .filter(i -> few.find(few.keyOf(new Object[] {i})).isPresent())
                        .count())
                .isBetween(1L, 10L);
    }

    @Test
    void nobody_gets_the_result_of_other_arguments_while_many_come_and_go() throws Exception {
        LastGoodResults few = results(50, HOUR, 0);
        AtomicInteger wrong = new AtomicInteger();
        AtomicInteger found = new AtomicInteger();
        Thread[] threads = IntStream.range(0, 4)
                .mapToObj(seed -> new Thread(() -> {
                    Random random = new Random(seed);
                    for (int i = 0; i < 50_000; i++) {
                        int argument = random.nextInt(200);
                        ResultKey key = few.keyOf(new Object[] {new int[] {argument}});
                        few.find(key).ifPresent(result -> {
                            found.incrementAndGet();
                            if (!result.value().equals(argument)) {
                                wrong.incrementAndGet();
                            }
                        });
                        few.keep(key, argument);
                    }
                }))
                .toArray(Thread[]::new);
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(found).hasPositiveValue();
        assertThat(wrong).hasValue(0);
        assertThat(troubles).isEmpty();
    }

    @Test
    void arrays_are_told_apart_by_what_is_in_them_at_any_depth() {
        keep("ints", new int[] {1, 2}, "x");
        keep("nested", new String[][] {{"a"}, {"b", null}}, "x");
        keep("in a list", List.of(new byte[] {7}, Map.of("k", new char[] {'c'})), Set.of("s"));
        assertThat(find(new int[] {1, 2}, "x")).contains("ints");
        assertThat(find(new int[] {1, 3}, "x")).isEmpty();
        assertThat(find(new long[] {1, 2}, "x")).isEmpty();
        assertThat(find(new String[][] {{"a"}, {"b", null}}, "x")).contains("nested");
        assertThat(find(new String[][] {{"a"}, {"b", "c"}}, "x")).isEmpty();
        assertThat(find(List.of(new byte[] {7}, Map.of("k", new char[] {'c'})), Set.of("s")))
                .contains("in a list");
        assertThat(find(List.of(new byte[] {8}, Map.of("k", new char[] {'c'})), Set.of("s")))
                .isEmpty();
    }

    @Test
    void an_argument_that_is_changed_later_changes_nothing_that_is_kept() {
        int[] array = {1};
        List<Object> list = new ArrayList<>(List.of("a"));
        Map<Object, Object> map = new HashMap<>(Map.of("a", new int[] {1}));
        keep("array", array, 0);
        keep("list", list, 0);
        keep("map", map, 0);
        array[0] = 2;
        list.set(0, "b");
        ((int[]) map.get("a"))[0] = 2;
        assertThat(find(array, 0)).isEmpty();
        assertThat(find(list, 0)).isEmpty();
        assertThat(find(map, 0)).isEmpty();
        assertThat(find(new int[] {1}, 0)).contains("array");
        assertThat(find(List.of("a"), 0)).contains("list");
        assertThat(find(Map.of("a", new int[] {1}), 0)).contains("map");
    }

    @Test
    void a_list_of_the_same_elements_is_the_same_argument_whatever_its_class() {
        keep("games", Arrays.asList("a", null), 1);
        assertThat(find(new ArrayList<>(Arrays.asList("a", null)), 1)).contains("games");
    }

    /** Equal to others of its kind by what it holds, and to be changed. */
    private static final class Query {
        private String text;

        Query(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Query query && query.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    @Test
    void an_object_that_is_changed_later_is_not_found_for_what_it_is_then() {
        Query query = new Query("zelda");
        keep("of zelda", query, 1);
        query.text = "mario";
        assertThat(find(query, 1)).isEmpty();
        assertThat(find(new Query("mario"), 1)).isEmpty();
        assertThat(find(new Query("zelda"), 1)).isEmpty();
    }

    /** Cannot be compared. */
    private record Broken(boolean hashes) {
        @Override
        public int hashCode() {
            if (hashes) {
                return 1;
            }
            throw new IllegalStateException("no hash");
        }

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("not equal, not different");
        }
    }

    @Test
    void arguments_that_cannot_be_compared_break_nothing_and_are_told_of_once() {
        keep("games", new Broken(false), 1);
        assertThat(find(new Broken(false), 1)).isEmpty();
        assertThat(troubles).hasSize(1);
    }

    @Test
    void an_argument_whose_equals_throws_breaks_nothing() {
        keep("games", new Broken(true), 1);
        keep("games", new Broken(true), 1);
        assertThat(find(new Broken(true), 1)).isEmpty();
        assertThat(troubles).hasSize(1);
    }

    /** Of a library that is not all there. */
    private record Unlinked() {
        @Override
        public int hashCode() {
            throw new NoClassDefFoundError("com/example/Hashes");
        }
    }

    @Test
    void an_argument_of_a_class_that_cannot_be_linked_breaks_nothing() {
        keep("games", new Unlinked(), 1);
        assertThat(find(new Unlinked(), 1)).isEmpty();
        assertThat(troubles).hasSize(1);
    }

    @Test
    void a_list_that_holds_itself_breaks_nothing() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        keep("games", endless, 1);
        assertThat(find(endless, 1)).isEmpty();
        assertThat(troubles).singleElement().isInstanceOf(StackOverflowError.class);
    }

    @Test
    void a_stage_is_kept_when_it_completes_and_never_its_failure() {
        CompletableFuture<String> good = new CompletableFuture<>();
        CompletableFuture<String> bad = new CompletableFuture<>();
        CompletionStage<String> kept = results.keepOfStage(results.keyOf(new Object[] {"good", 1}), good);
        CompletionStage<String> failed = results.keepOfStage(results.keyOf(new Object[] {"bad", 1}), bad);
        assertThat(find("good", 1)).isEmpty();
        good.complete("games");
        bad.completeExceptionally(new IllegalStateException());
        assertThat(find("good", 1)).contains("games");
        assertThat(find("bad", 1)).isEmpty();
        assertThat(kept.toCompletableFuture()).isCompletedWithValue("games");
        assertThat(failed.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void a_stage_that_may_not_be_followed_is_the_callers_all_the_same() {
        CompletableFuture<String> stage = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(
                    java.util.function.BiConsumer<? super String, ? super Throwable> action) {
                throw new UnsupportedOperationException("not this way");
            }
        };
        assertThat(results.keepOfStage(results.keyOf(new Object[] {"zelda", 1}), stage))
                .isSameAs(stage);
        assertThat(find("zelda", 1)).isEmpty();
        assertThat(troubles).isEmpty();
    }

    @Test
    void a_future_is_kept_when_somebody_asks_for_it_first() throws Exception {
        FutureTask<String> task = new FutureTask<>(() -> "games");
        Future<String> future = results.keepOfFuture(results.keyOf(new Object[] {"zelda", 1}), task);
        assertThat(future.isDone()).isFalse();
        task.run();
        assertThat(future.isDone()).isTrue();
        assertThat(find("zelda", 1)).isEmpty();
        assertThat(future.get(1, TimeUnit.SECONDS)).isEqualTo("games");
        pass(HOUR);
        assertThat(future.get()).isEqualTo("games");
        now++;
        assertThat(find("zelda", 1)).as("asking again does not make it younger").isEmpty();
    }

    @Test
    void a_future_that_fails_or_is_cancelled_is_not_kept() {
        FutureTask<String> failing = new FutureTask<>(() -> {
            throw new IllegalStateException();
        });
        failing.run();
        assertThatThrownBy(results.keepOfFuture(results.keyOf(new Object[] {"zelda", 1}), failing)::get)
                .isInstanceOf(ExecutionException.class);
        Future<String> cancelled =
                results.keepOfFuture(results.keyOf(new Object[] {"zelda", 1}), new FutureTask<>(() -> "games"));
        assertThat(cancelled.cancel(true)).isTrue();
        assertThat(cancelled.isCancelled()).isTrue();
        assertThatThrownBy(cancelled::get).isInstanceOf(CancellationException.class);
        assertThat(find("zelda", 1)).isEmpty();
    }

    @Test
    void a_future_that_is_a_stage_tells_by_itself() {
        CompletableFuture<String> both = new CompletableFuture<>();
        assertThat(results.keepOfFuture(results.keyOf(new Object[] {"zelda", 1}), (Future<String>) both))
                .isSameAs(both);
        both.complete("games");
        assertThat(find("zelda", 1)).contains("games");
    }
}
