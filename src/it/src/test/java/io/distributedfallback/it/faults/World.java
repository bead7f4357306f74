package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.harness.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cluster under load: instances, their database, the provider, and what has happened to them. */
public final class World implements AutoCloseable {

    private static final Path ROOT = Path.of("target", "faults");
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration START = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final Duration HAND_OVER = Duration.ofSeconds(20);

    /** An instance looks every 20 ms whether it has the store. */
    private static final int LOOKS_APART_MILLIS = 100;

    private static final Duration FIRST_READ = Duration.ofSeconds(20);

    private final Path folder;
    private final Database database;
    private final RecordingProvider provider = new RecordingProvider();
    private final Archive archive;
    private final List<Instance> places = new CopyOnWriteArrayList<>();
    private final Launcher launcher;
    private final Stocktaking stocktaking;

    private World(String name, Database database, String classPath) {
        this.folder = ROOT.resolve(name);
        this.database = database;
        this.archive = new Archive(database);
        this.launcher = new Launcher(folder, database, provider.url(), classPath);
        this.stocktaking = new Stocktaking(archive, provider);
    }

    /** Starts one, and lets the visitors in. */
    static World open(String name, Database database, int instances) {
        return open(name, database, instances, System.getProperty("java.class.path"));
    }

    /** Starts one whose instances have that class path. */
    static World open(String name, Database database, int instances, String classPath) {
        World world;
        try {
            world = new World(name, database, classPath);
        } catch (RuntimeException | Error e) {
            database.close();
            throw e;
        }
        try {
            Files.createDirectories(world.folder);
            for (int place = 0; place < instances; place++) {
                world.places.add(world.launch(place, Map.of(), Map.of()));
            }
            world.places.forEach(Instance::awaitReady);
            world.letVisitorsIn();
            Records unused = world.takeStock(System.nanoTime());
            world.goOn();
            return world;
        } catch (RuntimeException | Error e) {
            world.close();
            throw e;
        } catch (Exception e) {
            world.close();
            throw new IllegalStateException(e);
        }
    }

    /** When all have read the database. If the first read has taken too long, it takes visitors for the next. */
    private void letVisitorsIn() {
        Health health = new Health(archive, places);
        String known = "all instances have read the database";
        try {
            Eventually.until(known, FIRST_READ, health::isKnown);
        } catch (AssertionError late) {
            // The machine has much to do.
        }
        places.forEach(Instance::visitorsCome);
        Eventually.until(known, PATIENCE, health::isKnown);
    }

    private Instance launch(int place, Map<String, String> settings, Map<String, String> environment) {
        Instance instance = launcher.launch(place, settings, environment);
        stocktaking.born(instance);
        return instance;
    }

    Database database() {
        return database;
    }

    /** The database as the kind of it that a fault can strike. */
    <T extends Database> T database(Class<T> kind) {
        return kind.cast(database);
    }

    RecordingProvider provider() {
        return provider;
    }

    Archive archive() {
        return archive;
    }

    /** How many instances there are to be. */
    int size() {
        return places.size();
    }

    Instance instance(int place) {
        return places.get(place);
    }

    /** Puts a new one in the place of one that has died; visitors come when it knows the database, or is slow to. */
    void replaceTheDead(int place, Map<String, String> environment) {
        Instance next = put(place, Map.of(), environment);
        try {
            Eventually.until("it has read the database", START, () -> !next.isAlive() || next.knowsDatabase());
        } catch (AssertionError slow) {
            // They come all the same.
        }
        next.visitorsCome();
    }

    /** Whatever instance is started from now on has that class path. */
    void startFrom(String next) {
        launcher.startFrom(next);
    }

    /** Puts a new one in the place of one that has died or is ended now. */
    Instance replace(int place, Map<String, String> settings, Map<String, String> environment) {
        Instance next = put(place, settings, environment);
        next.visitorsCome();
        return next;
    }

    /** As a deploy does: one is emptied and ended, and the next has to know the database before visitors are sent there. */
    Instance roll(int place, Map<String, String> settings) {
        empty(places.get(place));
        Instance next = put(place, settings, Map.of());
        Eventually.until(next.name() + " has read the database", PATIENCE, next::knowsDatabase);
        next.visitorsCome();
        return next;
    }

    private Instance put(int place, Map<String, String> settings, Map<String, String> environment) {
        Instance old = places.get(place);
        if (old.isAlive()) {
            old.close();
        }
        Instance next = launch(place, settings, environment);
        places.set(place, next);
        next.awaitReady();
        return next;
    }

    /**
     * Puts new ones in all places, if those that are there have lost the store twice: with each loss they leave it alone for
     * longer, and a round would last as long as that.
     */
    void renewAfterLosses() {
        boolean hasLost = places.stream().anyMatch(instance -> instance.losses() >= 2);
        if (hasLost) {
            renew();
        }
    }

    private void renew() {
        List<Instance> old = List.copyOf(places);
        for (int place = 0; place < old.size(); place++) {
            places.set(place, launch(place, Map.of(), Map.of()));
        }
        // What visitors meet with while an instance ends is not counted any more: so they leave first.
        old.parallelStream().filter(Instance::isAlive).forEach(World::empty);
        old.parallelStream().forEach(Instance::close);
        places.forEach(Instance::awaitReady);
        letVisitorsIn();
    }

    /** After a round that has gone wrong: what is left of it, in memory or in the database, is to spoil no other. */
    void beginAnew() throws Exception {
        renew();
        try {
            recover(AGAIN);
        } catch (AssertionError still) {
            // The next round will say so as well.
        }
        Records unused = takeStock(System.nanoTime());
        goOn();
    }

    /** Lets a fault strike, and writes it down. */
    void strike(Fault fault, Duration length, Random random) throws Exception {
        long from = System.nanoTime();
        try {
            fault.action().strike(this, length, random);
        } finally {
            stocktaking.struck(new Records.Strike(fault.name(), fault.effects(), from, System.nanoTime()));
        }
    }

    /**
     * Waits until all is well: the breaker is closed, and every instance has the store and lets visitors go to the provider.
     *
     * @param limit the time promised for that
     */
    void recover(Duration limit) {
        provider.turn(Weather.WELL);
        new Health(archive, places).await(limit);
    }

    /** Sends the visitors away, and has all that was recorded since that moment. */
    Records takeStock(long from) throws Exception {
        rest();
        if (isSomebodyAlone()) {
            // The last failure could not be written in time: it is handed over with a call that comes later.
            goOn();
            try {
                Eventually.until("all instances have the store", HAND_OVER, () -> !isSomebodyAlone());
            } catch (AssertionError still) {
                // It is for the rules to say whether that may be.
            }
            rest();
        }
        return stocktaking.take(from, List.copyOf(places));
    }

    private boolean isSomebodyAlone() {
        Round.pass(LOOKS_APART_MILLIS);
        return places.stream().anyMatch(instance -> instance.isAlive() && !instance.hasDatabase());
    }

    /** Sends its visitors away, as a balancer does before an instance ends, and waits until the last has gone. */
    static void empty(Instance instance) {
        instance.visitorsLeave();
        Eventually.until("all visitors have left " + instance.name(), PATIENCE, instance::isEmpty);
    }

    /** The visitors leave until they are told to come back. */
    void rest() {
        places.parallelStream().filter(Instance::isAlive).forEach(World::empty);
    }

    /** The visitors come back. */
    void goOn() {
        places.forEach(Instance::visitorsCome);
    }

    @Override
    public void close() {
        try (database;
                provider) {
            stocktaking.instances().stream()
                    .filter(Instance::isAlive)
                    .parallel()
                    .forEach(Instance::close);
        }
    }
}
