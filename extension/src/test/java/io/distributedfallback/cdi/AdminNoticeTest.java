package io.distributedfallback.cdi;

import io.distributedfallback.core.AtOnce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** An admin that is switched on and that nobody lets in is not a silent 404. */
class AdminNoticeTest {

    private static final Logger LOG = Logger.getLogger("io.distributedfallback");

    private final InWeld.Warnings warnings = new InWeld.Warnings();
    private final Timer timer = new Timer();
    private boolean letIn;

    @BeforeEach
    void listen() {
        LOG.addHandler(warnings);
    }

    @AfterEach
    void stopListening() {
        LOG.removeHandler(warnings);
    }

    private AdminNotice notice(boolean wanted) {
        return new AdminNotice(timer, wanted, () -> letIn);
    }

    private List<String> told() {
        return warnings.of("DFB509");
    }

    @Test
    void says_what_to_add_and_where() {
        notice(true).started();
        assertThat(told()).as("while others may still start").isEmpty();
        timer.ring();
        assertThat(told())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains(
                                "distributed-fallback.admin.enabled",
                                "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                                "io.distributedfallback.admin.AdminInitializer",
                                "WEB-INF/lib"));
    }

    @Test
    void says_it_once_however_many_modules_start() {
        AdminNotice notice = notice(true);
        notice.started();
        notice.started();
        timer.ring();
        notice.started();
        timer.ring();
        assertThat(told()).hasSize(1);
    }

    @Test
    void is_silent_where_the_last_of_several_web_applications_lets_it_in() {
        AdminNotice notice = notice(true);
        notice.started();
        Runnable first = timer.waiting.remove(0);
        notice.started();
        first.run();
        assertThat(told()).as("the second has only just started").isEmpty();
        letIn = true;
        notice.started();
        timer.ring();
        assertThat(told()).isEmpty();
    }

    @Test
    void sets_no_timer_where_nobody_wants_the_admin_or_it_is_there() {
        notice(false).started();
        letIn = true;
        notice(true).started();
        assertThat(timer.waiting).isEmpty();
    }

    @Test
    void a_server_without_a_timer_starts_the_application_all_the_same() {
        timer.rejects = true;
        notice(true).started();
        assertThat(told()).isEmpty();
    }

    /** Rings when told to. */
    private static final class Timer extends AtOnce {

        private final List<Runnable> waiting = new ArrayList<>();
        private boolean rejects;

        @Override
        public Task schedule(Duration delay, Runnable task) {
            if (rejects) {
                throw new RejectedExecutionException("no timer");
            }
            assertThat(delay).isEqualTo(AdminNotice.QUIET);
            waiting.add(task);
            return () -> {};
        }

        void ring() {
            List<Runnable> due = List.copyOf(waiting);
            waiting.clear();
            due.forEach(Runnable::run);
        }
    }
}
