package io.distributedfallback.admin;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One client that listens. What it cannot take yet waits, of each kind of event the last one only; whoever sends never waits.
 *
 * <p>Several threads have something to do here at a time: the server's, the timer's, those that stop the application. One of
 * them does what all of them want, and the others go on. So nobody calls the server with a lock held, and what has been
 * given back to the server is not written to: it might be the answer to another request by then.
 */
final class EventStream implements WriteListener, AsyncListener {

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Consumer<EventStream> gone;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** How many wanted something since the one who does it looked last; 0 if nobody is at it. */
    private final AtomicInteger wishes = new AtomicInteger();

    /** Guarded by itself. */
    private final Map<String, String> waiting = new LinkedHashMap<>();

    /** Whether the server has said that it takes something. */
    private volatile boolean open;

    /** Whether the server has it back. */
    private volatile boolean completed;

    /** Of whoever is at it. */
    private boolean toBeFlushed;

    /** @param gone gets this, once, when it has ended */
    EventStream(AsyncContext async, ServletOutputStream out, Consumer<EventStream> gone) {
        this.async = async;
        this.gone = gone;
        this.out = out;
        async.addListener(this);
    }

    /** From now on the server says when the client can take something. */
    void start() {
        try {
            out.setWriteListener(this);
        } catch (RuntimeException e) {
            end();
        }
    }

    /** Sends an event as soon as the client takes it. */
    void send(String event, String data) {
        synchronized (waiting) {
            waiting.put(event, "event: " + event + "\ndata: " + data + "\n\n");
        }
        attend();
    }

    @Override
    public void onWritePossible() {
        open = true;
        attend();
    }

    /** Ends it, if it has not ended. */
    void end() {
        leave();
        attend();
    }

    private void leave() {
        if (ended.compareAndSet(false, true)) {
            gone.accept(this);
        }
    }

    private void attend() {
        if (wishes.getAndIncrement() > 0) {
            return;
        }
        int seen;
        do {
            seen = wishes.get();
            act();
        } while (!wishes.compareAndSet(seen, 0));
    }

    private void act() {
        if (!ended.get() && open) {
            try {
                write();
            } catch (IOException | RuntimeException e) {
                leave();
            }
        }
        if (ended.get() && !completed) {
            completed = true;
            try {
                async.complete();
            } catch (RuntimeException e) {
                // The server has done so.
            }
        }
    }

    private void write() throws IOException {
        while (!ended.get() && out.isReady()) {
            Optional<String> event = next();
            if (event.isPresent()) {
                toBeFlushed = true;
                out.write(event.get().getBytes(StandardCharsets.UTF_8));
            } else if (toBeFlushed) {
                toBeFlushed = false;
                out.flush();
            } else {
                return;
            }
        }
    }

    private Optional<String> next() {
        synchronized (waiting) {
            Iterator<String> texts = waiting.values().iterator();
            if (!texts.hasNext()) {
                return Optional.empty();
            }
            String text = texts.next();
            texts.remove();
            return Optional.of(text);
        }
    }

    @Override
    public void onError(Throwable thrown) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        completed = true;
        leave();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // Nobody starts it again.
    }
}
