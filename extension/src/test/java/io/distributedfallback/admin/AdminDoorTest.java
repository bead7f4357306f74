package io.distributedfallback.admin;

import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.ControlRoom;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/** How the servlet comes into a web application, and how it does not. */
class AdminDoorTest {

    private static final AdminAccess ACCESS = new AdminAccess("/ops/breakers", "viewer", "viewer", false);
    private static final Supplier<ControlRoom> NONE = () -> {
        throw new IllegalStateException("nobody asks");
    };

    @Test
    void puts_the_servlet_at_its_path_while_the_application_is_being_initialized() throws Exception {
        Server server = new Server();
        ServletContextHandler context = new ServletContextHandler("/shop");
        context.addServletContainerInitializer((types, servlets) -> AdminDoor.open(servlets, ACCESS, NONE));
        server.setHandler(context);
        server.start();
        try {
            assertThat(context.getServletContext()
                            .getServletRegistration("io.distributedfallback.admin")
                            .getMappings())
                    .containsExactly("/ops/breakers/*");
            assertThatCode(() -> AdminDoor.open(context.getServletContext(), ACCESS, NONE))
                    .as("too late, or once more")
                    .doesNotThrowAnyException();
        } finally {
            server.stop();
        }
    }

    @Test
    void what_is_no_web_application_is_left_alone() {
        assertThatCode(() -> AdminDoor.open("an enterprise archive", ACCESS, NONE)).doesNotThrowAnyException();
    }
}
