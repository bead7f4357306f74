package io.distributedfallback.it.ladder.app;

import jakarta.enterprise.context.ApplicationScoped;

/** What happens during a call, noted on the thread that makes it. */
@ApplicationScoped
public class Witness {

    private static final ThreadLocal<Note> NOTES = ThreadLocal.withInitial(Note::new);

    /** One call. */
    static final class Note {
        private boolean askedRedis;
        private boolean timedOut;
        private long queriedMicros;
        private Outcome from = Outcome.LAST_GOOD;

        boolean askedRedis() {
            return askedRedis;
        }

        boolean timedOut() {
            return timedOut;
        }

        /** When the database was asked; 0 for never. */
        long queriedMicros() {
            return queriedMicros;
        }

        Outcome from() {
            return from;
        }
    }

    static Note begin() {
        Note note = new Note();
        NOTES.set(note);
        return note;
    }

    public void asksRedis() {
        NOTES.get().askedRedis = true;
    }

    public void timedOut() {
        NOTES.get().timedOut = true;
    }

    public void queries() {
        NOTES.get().queriedMicros = Time.micros();
    }

    public void gotFrom(Outcome from) {
        NOTES.get().from = from;
    }
}
