package io.distributedfallback.admin;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Moments of a stream that no real client can be made to hit. */
@Timeout(20)
class EventStreamTest {

    private final List<String> happened = new ArrayList<>();
    private Runnable duringWrite = () -> {};

    private final ServletOutputStream out = new ServletOutputStream() {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("the server has no more room");
        }

        @Override
        public void write(int b) {
            throw new AssertionError("not byte by byte");
        }

        @Override
        public void write(byte[] bytes) {
            happened.add("write");
            duringWrite.run();
            happened.add("written");
        }

        @Override
        public void flush() {
            happened.add("flush");
        }
    };

    private final AsyncContext async = (AsyncContext) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("complete")) {
                    happened.add("complete");
                }
                return null;
            });

    private final EventStream stream = new EventStream(async, out, gone -> happened.add("gone"));

    @Test
    void is_not_given_back_to_the_server_while_somebody_writes_and_nobody_waits_for_that() {
        stream.onWritePossible();
        // On another thread, as the server does it; if it had to wait for the writer, this would never end.
        duringWrite = () -> CompletableFuture.runAsync(stream::end).join();
        stream.send("beat", "{}");
        // What is written after that may be in the answer to somebody else's request.
        assertThat(happened).containsExactly("write", "gone", "written", "complete");
    }

    @Test
    void what_comes_during_a_write_is_written_after_it() {
        stream.onWritePossible();
        duringWrite = () -> {
            duringWrite = () -> {};
            CompletableFuture.runAsync(() -> stream.send("change", "{}")).join();
        };
        stream.send("beat", "{}");
        assertThat(happened).startsWith("write", "written", "write", "written").endsWith("flush");
    }

    @Test
    void ends_once_if_the_server_lets_it_write_nothing() {
        stream.start();
        stream.end();
        stream.send("beat", "{}");
        assertThat(happened).containsExactly("gone", "complete");
    }
}
