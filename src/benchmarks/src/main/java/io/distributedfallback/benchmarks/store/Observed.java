package io.distributedfallback.benchmarks.store;

import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Samples;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the database has to do for all instances while something lasts.
 *
 * @param pool of the database
 * @param visitors the traffic
 * @param length for how long is counted
 */
record Observed(Pool pool, Visitors visitors, Duration length) {

    private static final Optional<Goal> INFORMATION = Optional.empty();

    /** What was done in how many seconds. */
    private record Work(Statements statements, long visits, double seconds) {

        Samples reads() {
            return perSecond(statements.reads());
        }

        Samples writes() {
            return perSecond(statements.writes());
        }

        Samples perSecond(long count) {
            return Samples.of(count / seconds);
        }
    }

    List<Line> healthy() throws SQLException, InterruptedException {
        Work work = work();
        return List.of(
                Line.figure(name("healthy", "calls"), work.perSecond(work.visits()), "/s", INFORMATION),
                reads("healthy", work),
                Line.figure(name("healthy", "writes"), work.writes(), "/s", Optional.of(Goal.binding(0))));
    }

    List<Line> counting(Trickle trickle) throws SQLException, InterruptedException {
        long before = trickle.failures();
        Work work = work();
        long failures = trickle.failures() - before;
        return List.of(
                Line.figure(name("counting", "failures"), work.perSecond(failures), "/s", INFORMATION),
                reads("counting", work),
                Line.figure(name("counting", "writes"), work.writes(), "/s", INFORMATION),
                Line.figure(
                        name("counting", "writes per failure"),
                        Samples.of(work.statements().writes() / (double) failures),
                        "",
                        INFORMATION));
    }

    List<Line> open(Outage outage) throws SQLException, InterruptedException {
        int before = outage.probes();
        Work work = work();
        int probes = outage.probes() - before;
        long inVain = work.statements().writes() - work.statements().changes();
        return List.of(
                reads("open", work),
                Line.figure(
                        name("open", "writes"), work.perSecond(work.statements().changes()), "/s", INFORMATION),
                Line.figure(
                        name("open", "probes"),
                        work.perSecond(probes),
                        "/s",
                        Optional.of(Goal.binding(most(1, Outage.PROBE_INTERVAL, work.seconds())))),
                Line.figure(
                        name("open", "probes at once"),
                        Samples.of(outage.mostAtOnce()),
                        "",
                        Optional.of(Goal.binding(1))),
                Line.figure(
                        name("open", "leases asked for in vain, by each instance for each probe"),
                        Samples.of(inVain / (double) Math.max(probes, 1) / Cluster.INSTANCES),
                        "",
                        Optional.of(Goal.atMost(1))));
    }

    private Work work() throws SQLException, InterruptedException {
        Statements before = Statements.of(pool);
        long visits = visitors.count();
        long began = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(length.toNanos());
        double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Work(Statements.of(pool).since(before), visitors.count() - visits, seconds);
    }

    private static Line reads(String state, Work work) {
        double most = most(Cluster.INSTANCES, Cluster.FRESH, work.seconds());
        return Line.figure(name(state, "reads"), work.reads(), "/s", Optional.of(Goal.binding(most)));
    }

    /** How often a second something happens at most that many do once in an interval, at the most unlucky moments. */
    private static double most(int many, Duration interval, double seconds) {
        double each = 1 + Math.floor(seconds * TimeUnit.SECONDS.toMillis(1) / interval.toMillis());
        return Math.ceil(many * each / seconds * 10) / 10;
    }

    private static String name(String state, String what) {
        return Cluster.INSTANCES + " instances, " + state + ": " + what;
    }
}
