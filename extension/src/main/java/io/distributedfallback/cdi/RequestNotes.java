package io.distributedfallback.cdi;

import io.distributedfallback.Degraded;
import io.distributedfallback.core.DegradedHeader;
import io.distributedfallback.core.InheritedNotes;
import io.distributedfallback.core.Notes;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the notes of the request that a thread serves. While nobody reads notes, none are taken, and that costs a look. */
final class RequestNotes implements Supplier<Notes> {

    private volatile boolean wanted;
    private volatile BeanManager beans;
    private volatile Bean<?> bean;
    private volatile Optional<String> header = Optional.empty();

    /** Somebody may read them. */
    void want() {
        wanted = true;
    }

    void offer(AfterBeanDiscovery event) {
        event.<RequestAnswers>addBean()
                .beanClass(RequestAnswers.class)
                .types(Degraded.class, Object.class)
                .scope(RequestScoped.class)
                .produceWith(lookup -> {
                    want();
                    return new RequestAnswers();
                });
        // For the filter that sends them to clients, which no container of beans makes.
        event.<DegradedHeader>addBean()
                .types(DegradedHeader.class)
                .produceWith(lookup -> new DegradedHeader(header, this::degraded));
    }

    /** The beans can be had. */
    void begin(BeanManager beans, Optional<String> header) {
        this.beans = beans;
        this.header = header;
        if (header.isPresent()) {
            want();
        }
        bean = beans.getBeans(Degraded.class).stream()
                .filter(candidate -> candidate.getBeanClass() == RequestAnswers.class)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Notes get() {
        return wanted
                ? InheritedNotes.get()
                        .or(() -> ofRequest().map(answers -> answers))
                        .orElse(Notes.NONE)
                : Notes.NONE;
    }

    private Optional<Degraded> degraded() {
        return ofRequest().map(answers -> answers);
    }

    /** Not the proxy: the outcome may come on a thread that serves no request, when this one has ended. */
    private Optional<RequestAnswers> ofRequest() {
        try {
            return Optional.ofNullable((RequestAnswers) instance(bean));
        } catch (RuntimeException e) {
            // This thread serves no request, or one that is just ending.
            return Optional.empty();
        }
    }

    private <T> T instance(Bean<T> of) {
        return beans.getContext(RequestScoped.class).get(of, beans.createCreationalContext(of));
    }
}
