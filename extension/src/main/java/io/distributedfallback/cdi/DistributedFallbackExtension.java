package io.distributedfallback.cdi;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.Breakers;
import io.distributedfallback.Degraded;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import io.distributedfallback.QueuedCall;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.Problem;
import io.distributedfallback.observe.Observation;
import io.distributedfallback.queue.QueueRoom;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.DefinitionException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessInjectionPoint;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessProducerField;
import jakarta.enterprise.inject.spi.ProcessProducerMethod;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.inject.Provider;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds what beans declare, checks all of it at deployment, and starts the breakers; nothing here touches the database,
 * which is asked first when a guarded method is called.
 */
public class DistributedFallbackExtension implements Extension {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final RequestNotes notes = new RequestNotes();
    private Discovery discovery;
    private volatile GuardedApplication application;

    void begin(@Observes BeforeBeanDiscovery event, BeanManager beans) {
        Problems.ofServer(getClass().getClassLoader()).ifPresent(problem -> {
            throw new DefinitionException(Problems.message(List.of(problem)));
        });
        discovery = new Discovery(beans);
    }

    <T> void collect(
            @Observes @WithAnnotations({DistributedFallback.class, Probe.class, BreakerPolicy.class})
                    ProcessAnnotatedType<T> event) {
        discovery.type(event);
    }

    void collect(@Observes ProcessManagedBean<?> event) {
        discovery.bean(event.getBean(), event.getAnnotatedBeanClass());
    }

    void collect(@Observes ProcessProducerMethod<?, ?> event) {
        discovery.producer(event.getAnnotatedProducerMethod());
    }

    void collect(@Observes ProcessProducerField<?, ?> event) {
        discovery.product(event.getAnnotatedProducerField());
    }

    void degradedIsWanted(@Observes ProcessInjectionPoint<?, Degraded> event) {
        notes.want();
    }

    void degradedMayBeWanted(@Observes ProcessInjectionPoint<?, Instance<Degraded>> event) {
        notes.want();
    }

    void degradedIsProvided(@Observes ProcessInjectionPoint<?, Provider<Degraded>> event) {
        notes.want();
    }

    void offerBreakers(@Observes AfterBeanDiscovery event) {
        event.<Breakers>addBean()
                .types(Breakers.class, Object.class)
                .scope(ApplicationScoped.class)
                .produceWith(lookup -> running().breakers());
        notes.offer(event);
        event.<QueuedCall>addBean()
                .types(QueuedCall.class, Object.class)
                .scope(Dependent.class)
                .produceWith(lookup -> new Replays.Current());
        Observation.offerHealth(event, () -> running().breakers().readings());
        // For the admin, which may be set up before there are any beans, and asks when it is used.
        event.<ControlRoom>addBean()
                .types(ControlRoom.class)
                .produceWith(lookup -> running().controlRoom());
        event.<QueueRoom>addBean()
                .types(QueueRoom.class)
                .produceWith(lookup -> running().queueRoom());
    }

    void validate(@Observes AfterDeploymentValidation event, BeanManager beans) {
        Deployment deployment = new Deployment(discovery.declarations(), beans, notes);
        List<Problem> errors = deployment.errors();
        if (errors.isEmpty()) {
            application = deployment.start();
            LOG.log(System.Logger.Level.DEBUG, "started; guarded methods: {0}", deployment.guardedMethods());
            Stream.concat(deployment.warnings().stream(), discovery.idleAnnotations().stream())
                    .forEach(Problems::warn);
        } else {
            event.addDeploymentProblem(new DefinitionException(Problems.message(errors)));
        }
    }

    void started(@Observes @Initialized(ApplicationScoped.class) Object event) {
        if (application != null) {
            application.started();
        }
    }

    void stopping(@Observes @BeforeDestroyed(ApplicationScoped.class) Object event) {
        stop();
    }

    void stopped(@Observes BeforeShutdown event) {
        stop();
    }

    private void stop() {
        if (application != null) {
            application.close();
        }
    }

    /** The guarded methods of the bean that an instance belongs to; a proxy's class is below the bean's. */
    GuardedBean guardsOf(Class<?> instance) {
        return running().guardsOf(instance);
    }

    private GuardedApplication running() {
        GuardedApplication running = application;
        if (running == null) {
            throw new IllegalStateException(
                    "guarded methods cannot be called before the deployment has been validated");
        }
        return running;
    }
}
