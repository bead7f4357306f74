package io.distributedfallback.cdi;

import io.distributedfallback.Degraded;
import io.distributedfallback.core.Notes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The notes of one request. */
final class RequestAnswers implements Degraded, Notes {

    /** A request may be a job that runs for hours. */
    private static final int MOST = 1000;

    /** Guarded by this. */
    private final List<Answer> answers = new ArrayList<>();

    @Override
    public synchronized void add(Answer answer) {
        if (answers.size() < MOST) {
            answers.add(answer);
        }
    }

    @Override
    public synchronized boolean isDegraded() {
        return !answers.isEmpty();
    }

    @Override
    public synchronized List<Answer> answers() {
        return List.copyOf(answers);
    }

    @Override
    public Set<String> breakers() {
        return breakers(answer -> true);
    }

    @Override
    public Set<String> unavailable() {
        return breakers(answer -> !answer.rung().isAnswer());
    }

    private Set<String> breakers(Predicate<Answer> which) {
        Set<String> names = new LinkedHashSet<>();
        answers().stream().filter(which).map(Answer::breaker).forEach(names::add);
        return names;
    }
}
