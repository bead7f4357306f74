package io.distributedfallback.cdi;

import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.core.Problem;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.DefinitionException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.interceptor.Interceptor;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds what beans declare, checks all of it at deployment, and starts the breakers; nothing here touches the database,
 * which is asked first when a guarded method is called.
 */
public class DistributedFallbackExtension implements Extension {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final Declarations declarations = new Declarations();
    private volatile GuardedApplication application;

    /**
     * A container refuses an interceptor on a final method in words of its own, before all problems can be told at once.
     * So the annotation is taken off there; {@link Declarations} still finds it in the class.
     */
    <T> void uncoverFinalMethods(@Observes @WithAnnotations(DistributedFallback.class) ProcessAnnotatedType<T> event) {
        if (event.getAnnotatedType().getMethods().stream().anyMatch(Declarations::isGuardedAndFinal)) {
            event.configureAnnotatedType()
                    .filterMethods(Declarations::isGuardedAndFinal)
                    .forEach(method ->
                            method.remove(annotation -> annotation.annotationType() == DistributedFallback.class));
        }
    }

    void collect(@Observes ProcessManagedBean<?> event, BeanManager beans) {
        // An interceptor carries the annotations that it is bound to, and guards nothing of its own.
        if (!event.getAnnotatedBeanClass().isAnnotationPresent(Interceptor.class)) {
            declarations.add(event.getBean(), event.getAnnotatedBeanClass(), beans);
        }
    }

    void offerBreakers(@Observes AfterBeanDiscovery event) {
        event.<Breakers>addBean()
                .types(Breakers.class, Object.class)
                .scope(ApplicationScoped.class)
                .produceWith(lookup -> running().breakers());
    }

    void validate(@Observes AfterDeploymentValidation event, BeanManager beans) {
        Deployment deployment = new Deployment(declarations, beans);
        List<Problem> errors = deployment.errors();
        if (errors.isEmpty()) {
            application = deployment.start();
            LOG.log(System.Logger.Level.DEBUG, "started; guarded methods: {0}", deployment.guardedMethods());
            deployment.warnings().forEach(warning -> LOG.log(System.Logger.Level.WARNING, "{0}", warning));
        } else {
            event.addDeploymentProblem(new DefinitionException(message(errors)));
        }
    }

    private static String message(List<Problem> errors) {
        return errors.stream()
                .map(Problem::toString)
                .collect(Collectors.joining(
                        "\n  ",
                        "Distributed Fallback found " + errors.size() + (errors.size() == 1 ? " problem" : " problems")
                                + " in this deployment:\n  ",
                        ""));
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
