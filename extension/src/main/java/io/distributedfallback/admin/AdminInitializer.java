package io.distributedfallback.admin;

import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.AdminEntrance;
import io.distributedfallback.core.AdminSwitch;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Retold;
import io.distributedfallback.queue.QueueRoom;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.HttpConstraintElement;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Puts the admin into a web application, if its configuration says so. Does nothing at all in any other one, and nothing
 * where there is no MicroProfile Config.
 */
public final class AdminInitializer implements ServletContainerInitializer {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");
    private static final String NAME = "io.distributedfallback.admin";

    @Override
    public void onStartup(Set<Class<?>> ignored, ServletContext context) {
        AdminEntrance.open();
        access(context.getClassLoader())
                .ifPresent(
                        access -> serve(context, access, AdminInitializer::controlRoom, AdminInitializer::queueRoom));
    }

    private static Optional<AdminAccess> access(ClassLoader application) {
        try {
            return ServiceLoader.load(AdminSwitch.class, AdminInitializer.class.getClassLoader())
                    .findFirst()
                    .flatMap(found -> found.access(application));
        } catch (RuntimeException | LinkageError | java.util.ServiceConfigurationError e) {
            // No MicroProfile Config, or none for this application: nobody can have asked for an admin then.
            Retold.log(LOG, System.Logger.Level.DEBUG, "no admin, because there is no configuration", e);
            return Optional.empty();
        }
    }

    /**
     * @param lookup finds what is shown
     * @param queues finds the queues
     */
    static void serve(
            ServletContext context, AdminAccess access, Supplier<ControlRoom> lookup, Supplier<QueueRoom> queues) {
        context.declareRoles(access.role(), access.commandRole());
        ServletRegistration.Dynamic servlet =
                context.addServlet(NAME, new AdminServlet(access, lookup, queues, Clock.systemUTC()));
        if (servlet == null) {
            warn(ProblemCode.DFB506, "servlet " + NAME, "Leave that name to the admin");
            return;
        }
        servlet.setAsyncSupported(true);
        Collection<String> taken = servlet.addMapping(access.path() + "/*");
        if (!taken.isEmpty()) {
            warn(
                    ProblemCode.DFB506,
                    "path " + taken,
                    "Another servlet has it. Set distributed-fallback.admin.path to a path that is free");
        }
        Collection<String> secured = servlet.setServletSecurity(security(access));
        if (!secured.isEmpty()) {
            warn(ProblemCode.DFB507, "path " + secured, "See that they ask for a login there");
        }
    }

    /** What the server asks for before anything here is asked: one of the roles. The servlet asks again, with each request. */
    static ServletSecurityElement security(AdminAccess access) {
        return new ServletSecurityElement(new HttpConstraintElement(
                access.confidential() ? TransportGuarantee.CONFIDENTIAL : TransportGuarantee.NONE,
                access.role(),
                access.commandRole()));
    }

    private static ControlRoom controlRoom() {
        return CDI.current().select(ControlRoom.class).get();
    }

    private static QueueRoom queueRoom() {
        return CDI.current().select(QueueRoom.class).get();
    }

    private static void warn(ProblemCode code, String where, String remedy) {
        LOG.log(System.Logger.Level.WARNING, "{0}", new Problem(code, where, "", remedy));
    }
}
