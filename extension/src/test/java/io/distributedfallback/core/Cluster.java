package io.distributedfallback.core;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.Recovery;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Instances that share one store in memory and one time, and one provider that they call. */
final class Cluster {

    static final String RAWG = "rawg";

    final ManualTime time = new ManualTime();
    final FaultyStore store =
            new FaultyStore(new MemoryBreakerStore(time, Instant.parse("2026-01-01T00:00:00Z"), "database"));
    final List<BreakerTransition> transitions = new ArrayList<>();
    final List<BreakerCommanded> commands = new ArrayList<>();
    final List<String> told = new ArrayList<>();
    final List<Return> returns = new ArrayList<>();
    Runnable whenBack = () -> {};
    final Provider provider = new Provider();
    Policy policy = new PolicyBuilder().recovery(Recovery.PROBE).build();
    Timings timings = Timings.DEFAULT;
    Instruments instruments = Instruments.NONE;
    DoubleSupplier chance = new Random(42)::nextDouble;

    /** Of the store: how long it was away, and how many failures it is given. */
    record Return(Duration away, int failures) {}

    /** A fallback that needs nothing but the failure. */
    interface Instead<T> {
        T answer(Supplier<? extends Throwable> failure) throws Throwable;

        static <T> Instead<T> none() {
            return failure -> {
                throw failure.get();
            };
        }
    }

    /** What happens while a call is on its way. */
    interface Incident {
        void happen() throws Exception;
    }

    /** A provider that can be told how to be, and counts who asks. */
    static final class Provider implements ProbeCall {
        Exception failure;
        Incident whileAsked = () -> {};
        int visitors;
        int probes;
        final List<String> probedKeys = new ArrayList<>();

        void down() {
            failure = new IOException("HTTP 503");
        }

        void up() {
            failure = null;
        }

        String visit() throws Exception {
            visitors++;
            return answer();
        }

        boolean probe() throws Exception {
            probes++;
            answer();
            return true;
        }

        @Override
        public boolean passes() throws Exception {
            return probe();
        }

        @Override
        public ProbeCall forKey(String key) {
            return () -> {
                probedKeys.add(key);
                return probe();
            };
        }

        private String answer() throws Exception {
            whileAsked.happen();
            if (failure != null) {
                throw failure;
            }
            return "primary";
        }
    }

    static String fail() throws IOException {
        throw new IOException("HTTP 503");
    }

    Instance instance() {
        return new Instance(() -> policy);
    }

    /** An instance whose configuration is its own, and may change. */
    Instance instance(Supplier<Policy> own) {
        return new Instance(own);
    }

    /** One instance of the application. */
    final class Instance {

        final CircuitBreakers breakers;
        final CircuitBreaker breaker;

        private Instance(Supplier<Policy> own) {
            breakers = new CircuitBreakers(
                    Optional.of(store.as(toString())),
                    new MemoryBreakerStore(time, Instant.parse("2026-01-01T00:00:00Z"), "stand-in"),
                    new Surroundings(time, time, new Ears(), timings, instruments, () -> chance.getAsDouble()),
                    new Application(name -> own.get(), Map.of(RAWG, provider), List.of(), Rejection::new));
            breaker = breakers.get(RAWG);
        }

        /** A visitor's call, with its request: what was deferred runs afterwards. */
        String visit() throws Exception {
            String answer = call();
            time.endRequest();
            return answer;
        }

        /** A visitor's call whose request has not ended yet. */
        String call() throws Exception {
            return breaker.call(provider::visit, () -> "fallback");
        }

        String call(Callable<String> primary) throws Exception {
            return breaker.call(primary, () -> "fallback");
        }

        /** Calls that all have begun before something happens, and fail afterwards. */
        void hang(int calls, Incident incident) throws Exception {
            String unused = call(() -> {
                if (calls > 1) {
                    hang(calls - 1, incident);
                } else {
                    incident.happen();
                }
                throw new IOException("late");
            });
        }

        /** A call with rules of its own. */
        <T> T call(Callable<T> primary, Instead<T> fallback, FailureRules rules) throws Exception {
            return breaker.call(primary, Callable::call, (called, failure) -> fallback.answer(failure), rules);
        }

        CompletionStage<String> callStage(
                Callable<CompletionStage<String>> primary, Instead<CompletionStage<String>> fallback) throws Exception {
            return breaker.callStage(
                    primary,
                    Callable::call,
                    (called, failure) -> fallback.answer(failure),
                    FailureRules.forAll(RAWG, List.of(), new BreakerListener() {}));
        }

        int failures() {
            return breaker.status().standing().consecutiveFailures();
        }
    }

    /** Brings the breaker to OPEN, with the provider down. */
    void open(Instance instance) throws Exception {
        provider.down();
        for (int i = 0; i < policy.failureThreshold(); i++) {
            instance.visit();
        }
    }

    void passInterval() {
        time.pass(policy.probeInterval());
    }

    static final class Rejection extends RuntimeException {
        private static final long serialVersionUID = 1L;
        final Duration retryAfter;

        Rejection(String breaker, Duration retryAfter, String why) {
            super(why);
            this.retryAfter = retryAfter;
        }
    }

    private final class Ears implements BreakerListener {
        @Override
        public void transitioned(BreakerTransition transition) {
            transitions.add(transition);
        }

        @Override
        public void rampsUp(String breaker, Duration length) {
            told.add("ramps up in " + length);
        }

        @Override
        public void commanded(BreakerCommanded commanded) {
            commands.add(commanded);
        }

        @Override
        public void misconfigured(String breaker, String failure) {
            told.add("misconfigured");
        }

        @Override
        public void probed(String breaker, ProbeVerdict verdict, String reason) {
            told.add((verdict + " " + reason).strip());
        }

        @Override
        public void storeLost(StoreException reason) {
            told.add("lost " + reason.code());
        }

        @Override
        public void storeBack(Duration away, int failures) {
            told.add("back");
            returns.add(new Return(away, failures));
            whenBack.run();
        }

        @Override
        public void guardsItsStore(String breaker, String evidence) {
            told.add(breaker + " guards its store: " + evidence);
        }

        @Override
        public void listening() {
            told.add("listening");
        }

        @Override
        public void notListening(StoreException reason, boolean insisted) {
            told.add("silent " + reason.code() + (insisted ? ", insisted" : ""));
        }

        @Override
        public void storeTrouble(StoreException reason) {
            told.add("trouble " + reason.code());
        }

        @Override
        public void thresholdDiffers(String breaker, int here, int there) {
            told.add("threshold " + here + " here, " + there + " there");
        }

        @Override
        public void tooManyKeys(String breaker, int most) {
            told.add("more keys than " + most + " of " + breaker);
        }

        @Override
        public void keepsAwayAlone(String breaker, boolean away) {
            told.add(away ? "alone" : "no longer alone");
        }

        @Override
        public void classifierFailed(String breaker, FailureKind taken, Throwable thrown) {
            told.add("classifier");
        }
    }
}
