package io.distributedfallback.cdi;

import io.distributedfallback.FailureKind;
import io.distributedfallback.cdi.Replays.Replay;
import io.distributedfallback.core.Causes;
import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.queue.CallMaker;
import io.distributedfallback.queue.Outcome;
import io.distributedfallback.queue.TakenCall;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * Makes stored calls of a method of a bean, in a request context of their own, with all that stands before the method: its
 * guard, its transaction, its retries. A stage is waited for.
 */
final class BeanCalls implements CallMaker {

    private final Bean<?> bean;
    private final Method method;
    private final Type type;
    private final JsonArguments json;
    private final BeanManager beans;
    private final FailureRules rules;

    /** @param rules tell what is the caller's error */
    BeanCalls(Bean<?> bean, Method method, Type type, JsonArguments json, BeanManager beans, FailureRules rules) {
        this.bean = bean;
        this.method = method;
        this.type = type;
        this.json = json;
        this.beans = beans;
        this.rules = rules;
        method.setAccessible(true);
    }

    @Override
    public Outcome make(TakenCall call) throws InterruptedException {
        Object[] arguments;
        try {
            arguments = json.read(call.arguments());
        } catch (RuntimeException | LinkageError e) {
            return new Outcome(Outcome.Kind.HOPELESS, ProblemCode.DFB319 + ": " + FailureText.of(e));
        }
        Replay replay = new Replay(call, method);
        try {
            invoke(replay, arguments);
            return Outcome.DONE;
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            return outcomeOf(e, replay);
        }
    }

    private void invoke(Replay replay, Object[] arguments) throws Throwable {
        RequestContextController request =
                beans.createInstance().select(RequestContextController.class).get();
        boolean activated = request.activate();
        CreationalContext<?> dependents = beans.createCreationalContext(bean);
        try {
            Object instance = beans.getReference(bean, type, dependents);
            await(Replays.during(replay, () -> method.invoke(instance, arguments)));
        } catch (InvocationTargetException | ExecutionException e) {
            throw e.getCause() == null ? e : e.getCause();
        } finally {
            dependents.release();
            if (activated) {
                request.deactivate();
            }
        }
    }

    private static void await(Object answer) throws InterruptedException, ExecutionException {
        if (answer instanceof CompletionStage<?> stage) {
            CompletableFuture<Object> end = new CompletableFuture<>();
            var unused = stage.whenComplete((value, failure) -> {
                if (failure == null) {
                    end.complete(null);
                } else {
                    end.completeExceptionally(failure);
                }
            });
            end.get();
        }
    }

    private Outcome outcomeOf(Throwable thrown, Replay replay) throws InterruptedException {
        if (thrown instanceof InterruptedException interruption) {
            throw interruption;
        }
        if (replay.isRetryable() && !replay.wasAsked()) {
            return Outcome.KEPT_AWAY;
        }
        // Nobody can mend the caller's error by asking again; what was cancelled uses no fallback either, and may do
        // well.
        boolean isHopeless = replay.wasAsked()
                && !replay.isRetryable()
                && !Causes.carriesError(thrown)
                && rules.classify(thrown).kind() == FailureKind.CALLER_ERROR;
        return new Outcome(isHopeless ? Outcome.Kind.HOPELESS : Outcome.Kind.FAILED, FailureText.of(thrown));
    }
}
