package io.distributedfallback.cdi;

import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.Retold;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.deferred.ManagedBackground;
import io.distributedfallback.queue.CallQueues;
import io.distributedfallback.queue.QueueRoom;
import io.distributedfallback.store.JpaBreakerStore;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * The breakers and the guarded methods of a running application. They are put together on a managed thread as soon as the
 * application has started, or by whoever needs them before.
 */
final class GuardedApplication implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final ManagedBackground background;
    private final Supplier<RunningEngine> assembly;
    private final boolean readAtStart;
    private final AdminNotice admin;
    private volatile RunningEngine running;

    /** Guarded by this. */
    private boolean started;

    /** Guarded by this. */
    private boolean closed;

    /**
     * Makes it, and nothing else.
     *
     * @param assembly puts the engine together, without I/O
     * @param readAtStart false leaves the reading to the first call, and no connection is opened before
     * @param admin is told of each start
     */
    GuardedApplication(
            ManagedBackground background, Supplier<RunningEngine> assembly, boolean readAtStart, AdminNotice admin) {
        this.background = background;
        this.assembly = assembly;
        this.readAtStart = readAtStart;
        this.admin = admin;
    }

    CircuitBreakers breakers() {
        return running().breakers();
    }

    ControlRoom controlRoom() {
        return running().room();
    }

    QueueRoom queueRoom() {
        return running().queueRoom();
    }

    GuardedBean guardsOf(Class<?> instance) {
        return running().beans().of(instance);
    }

    private RunningEngine running() {
        RunningEngine engine = running;
        return engine != null ? engine : assemble();
    }

    private synchronized RunningEngine assemble() {
        if (running == null) {
            RunningEngine engine = assembly.get();
            if (started) {
                engine.breakers().startBackgroundProbes();
            }
            running = engine;
            if (closed) {
                end(engine);
                engine.store().ifPresent(JpaBreakerStore::close);
            }
        }
        return running;
    }

    private static void end(RunningEngine engine) {
        engine.queues().ifPresent(CallQueues::close);
        engine.breakers().close();
        engine.observation().close();
    }

    /**
     * Opens the way to the database and reads from it in the background, so that the first call need not wait for that
     * and a new instance knows from the start which breakers are open.
     */
    void started() {
        boolean assembled;
        synchronized (this) {
            started = true;
            assembled = running != null;
        }
        if (assembled) {
            running.breakers().startBackgroundProbes();
        }
        try {
            background.run(this::open);
        } catch (RejectedExecutionException e) {
            Retold.log(LOG, System.Logger.Level.DEBUG, "the first call opens the store", e);
        }
        admin.started();
    }

    private void open() {
        RunningEngine engine = running();
        engine.store().ifPresent(store -> {
            store.prepare();
            if (readAtStart) {
                engine.breakers().readAhead();
            }
        });
        engine.queues().filter(queues -> !queues.names().isEmpty()).ifPresent(queues -> start(queues, engine));
    }

    private void start(CallQueues queues, RunningEngine engine) {
        queues.start(readAtStart);
        if (readAtStart) {
            try {
                engine.queueRoom().tellOfUnknown();
            } catch (StoreException e) {
                Retold.log(LOG, System.Logger.Level.DEBUG, "not known whether calls wait for methods that are gone", e);
            }
        }
    }

    /**
     * Gives leases back and hands over what the store has not been told, then ends the threads, then lets go of the
     * database. Once. Who asks for something later gets an engine that has ended already.
     */
    @Override
    public void close() {
        RunningEngine engine;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            engine = running;
        }
        try {
            if (engine != null) {
                end(engine);
            }
        } finally {
            background.close();
            if (engine != null) {
                engine.store().ifPresent(JpaBreakerStore::close);
            }
        }
    }
}
