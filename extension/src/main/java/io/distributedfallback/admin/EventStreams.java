package io.distributedfallback.admin;

import io.distributedfallback.core.ControlRoom;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells browsers that something has changed (server-sent events). No client has a thread of its own, and none is waited
 * for.
 *
 * <ol>
 *   <li>As long as there is a client, a timer keeps the copy fresh, and sends a beat now and then: it shows that the
 *       connection is alive, and finds those whose client is gone.
 *   <li>A change is told within a moment. Many changes in that moment are one.
 *   <li>With as many clients as there may be, the next one is refused; the page then asks now and then instead.
 * </ol>
 */
final class EventStreams {

    /** The most clients at a time. */
    static final int MOST = 50;

    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final Duration BETWEEN_BEATS = Duration.ofSeconds(15);
    private static final Duration LONGEST_TICK = Duration.ofSeconds(5);
    private static final Duration SHORTEST_TICK = Duration.ofMillis(500);

    private final ControlRoom room;
    private final InstantSource clock;
    private final Duration longest;
    private final Duration tick;
    private final int ticksBetweenBeats;
    private final Semaphore places = new Semaphore(MOST);
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean changeToTell = new AtomicBoolean();

    /** Guarded by this; null while nobody listens. */
    private Runnable endOfWatch;

    /** Guarded by this. */
    private boolean closed;

    private int ticks;

    /** @param longest after which a client has to ask again */
    EventStreams(ControlRoom room, InstantSource clock, Duration longest) {
        this.room = room;
        this.clock = clock;
        this.longest = longest;
        Duration fresh = room.fresh().plusMillis(50);
        Duration bounded = fresh.compareTo(LONGEST_TICK) < 0 ? fresh : LONGEST_TICK;
        this.tick = bounded.compareTo(SHORTEST_TICK) > 0 ? bounded : SHORTEST_TICK;
        this.ticksBetweenBeats = (int) Math.max(1, BETWEEN_BEATS.dividedBy(tick));
    }

    void open(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.isAsyncSupported()) {
            throw Refusal.unavailable("no-streams", "A filter in front of this does not support streams", 300);
        }
        if (!places.tryAcquire()) {
            throw Refusal.unavailable("too-many-streams", "As many as may listen do so already", 30);
        }
        boolean held = false;
        try {
            begin();
            response.setContentType("text/event-stream");
            response.setCharacterEncoding("UTF-8");
            // A proxy that keeps answers back until they are complete would keep these for ever.
            response.setHeader("X-Accel-Buffering", "no");
            // First what may fail: once it is asynchronous, only the stream can end it.
            ServletOutputStream out = response.getOutputStream();
            AsyncContext async = request.startAsync();
            async.setTimeout(longest.toMillis());
            EventStream stream = new EventStream(async, out, this::gone);
            held = streams.add(stream);
            stream.send("beat", moment());
            stream.start();
        } finally {
            if (!held) {
                places.release();
            }
        }
        if (isClosed()) {
            streams.forEach(EventStream::end);
        }
    }

    private void gone(EventStream stream) {
        if (streams.remove(stream)) {
            places.release();
        }
    }

    /** How many listen. */
    int size() {
        return streams.size();
    }

    private synchronized void begin() {
        if (closed) {
            throw Refusal.unavailable("not-ready", "The application stops", 5);
        }
        if (endOfWatch == null) {
            try {
                room.background().schedule(tick, this::tick);
            } catch (RejectedExecutionException e) {
                throw Refusal.unavailable("no-streams", "The server has no timer for this", 300);
            }
            endOfWatch = room.watch(this::changed);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Called by whoever made the change: the sending is left to another thread. */
    private void changed() {
        if (changeToTell.compareAndSet(false, true)) {
            try {
                room.background().schedule(MOMENT, () -> {
                    changeToTell.set(false);
                    tell("change");
                });
            } catch (RejectedExecutionException e) {
                // The application stops, or has no thread to spare: a later change is told.
                changeToTell.set(false);
            }
        }
    }

    private void tell(String event) {
        streams.forEach(stream -> stream.send(event, moment()));
    }

    private String moment() {
        return JsonText.of(Map.of("at", clock.instant()));
    }

    private void tick() {
        if (!goesOn()) {
            return;
        }
        room.refresh();
        ticks = (ticks + 1) % ticksBetweenBeats;
        if (ticks == 0) {
            tell("beat");
        }
    }

    /** Sets the timer again, unless nobody is there any more. */
    private synchronized boolean goesOn() {
        // By the places, because whoever is about to listen has taken one.
        if (!closed && places.availablePermits() < MOST) {
            try {
                room.background().schedule(tick, this::tick);
                return true;
            } catch (RejectedExecutionException e) {
                // Without the timer nobody would find out who is gone.
                streams.forEach(EventStream::end);
            }
        }
        stopWatching();
        return false;
    }

    private void stopWatching() {
        if (endOfWatch != null) {
            endOfWatch.run();
            endOfWatch = null;
        }
    }

    /** Ends all, and lets nobody in any more. */
    void close() {
        synchronized (this) {
            closed = true;
            stopWatching();
        }
        streams.forEach(EventStream::end);
    }
}
