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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One client that listens. What it cannot take yet waits, of each kind of event the last one only; whoever sends never waits.
 */
final class EventStream implements WriteListener, AsyncListener {

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Consumer<EventStream> gone;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Guarded by this. */
    private final Map<String, String> waiting = new LinkedHashMap<>();

    /** Guarded by this: whether the server has said that it takes something. */
    private boolean open;

    /** Guarded by this. */
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
        try {
            synchronized (this) {
                waiting.put(event, data);
                write();
            }
        } catch (IOException | RuntimeException e) {
            end();
        }
    }

    @Override
    public void onWritePossible() {
        try {
            synchronized (this) {
                open = true;
                write();
            }
        } catch (IOException | RuntimeException e) {
            end();
        }
    }

    private void write() throws IOException {
        Iterator<Map.Entry<String, String>> events = waiting.entrySet().iterator();
        while (open && !ended.get() && events.hasNext()) {
            if (!out.isReady()) {
                return;
            }
            Map.Entry<String, String> event = events.next();
            String text = "event: " + event.getKey() + "\ndata: " + event.getValue() + "\n\n";
            events.remove();
            out.write(text.getBytes(StandardCharsets.UTF_8));
            toBeFlushed = true;
        }
        if (open && toBeFlushed && !ended.get() && out.isReady()) {
            toBeFlushed = false;
            out.flush();
        }
    }

    /** Ends it, if it has not ended. */
    void end() {
        if (ended.compareAndSet(false, true)) {
            gone.accept(this);
            try {
                async.complete();
            } catch (IllegalStateException e) {
                // The server has done so.
            }
        }
    }

    @Override
    public void onError(Throwable thrown) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        if (ended.compareAndSet(false, true)) {
            gone.accept(this);
        }
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
