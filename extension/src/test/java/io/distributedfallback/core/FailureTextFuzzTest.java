package io.distributedfallback.core;

import io.distributedfallback.fuzz.Fuzz;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** No text that comes from outside forges a line of a log, and none gives away what is a secret by its form. */
@Timeout(60)
class FailureTextFuzzTest {

    private static final String[] SHAPES = {
        "password=%s",
        "PGPASSWORD=%s",
        "dbPassword: %s",
        "\"password\": \"%s\"",
        "\"password\":\"a\\\"%s\"",
        "{'client_secret': 'x %s y'}",
        "token\":\"%s\"",
        "refresh_token=%s&x=1",
        "jdbc:postgresql://joe:%s@db.example/shop",
        "jdbc:postgresql://db.example/shop?user=joe&password=%s",
        "jdbc:oracle:thin:joe/%s@//db.example:1521/shop",
        "https://joe:%s@api.example.com/games",
        "https://api.example.com/games?%s=1",
        "amqp://joe:%s@mq.example:5672/%%2f",
        "cannot log in to joe:%s@db.example:5432",
        "cannot log in to joe:p@%s@db.example:5432",
        "cannot log in to joe:p/q:%s@db.example:5432",
        "jdbc:oracle:thin:joe/p@%s@db.example:1521:x",
        "Authorization: Bearer %s",
        "Authorization: Bearer\r\n %s",
        "authorization=[Basic %s]",
        "Proxy-Authorization: Digest username=\"joe\", response=\"%s\"",
        "Bearer %s0",
        "api_key=%s",
        "apikey: %s",
        "X-Api-Key: %s",
        "Cookie: a=b; sid=%s; c=d",
        "Set-Cookie: JSESSIONID=%s; Path=/",
        "aws_secret_access_key = %s",
        "AWS4-HMAC-SHA256 Credential=x, Signature=%s",
        "AccountKey=%s==;EndpointSuffix=x",
        "-----BEGIN RSA PRIVATE KEY-----\nMII%s\n%<s==\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMII%s",
        "eyJhbGciOiJIUzI1NiJ9.%s.%<s",
        "ghp_%s",
        "xoxb-%s",
        "sk_live_%s"
    };

    private static final String[] EDGES = {" ", "\n", "\r\n", "\t", " \u001b[0m ", " (", "\n\0", "\u2028"};

    @Test
    void a_secret_in_a_known_shape_is_masked_wherever_it_stands() {
        Fuzz.run(1_500, fuzz -> {
            String secret = fuzz.word(12 + fuzz.below(30));
            String noise = "x".repeat(fuzz.oneOf(0, 1, 250, 290, 299, 2_300, 2_390, 2_399));
            String text = noise
                    + fuzz.oneOf(EDGES)
                    + String.format(fuzz.oneOf(SHAPES), secret)
                    + fuzz.oneOf(EDGES)
                    + fuzz.text(5);

            String said = FailureText.of(new IllegalStateException(text));

            assertThat(said).as("of %s", text).doesNotContain(secret.substring(0, 8));
            assertThat(said).hasSizeLessThanOrEqualTo(FailureText.LONGEST);
            assertThat(said.codePoints()).allMatch(Visible::isPlain);
        });
    }

    @Test
    void a_problem_is_one_line_of_bounded_length_whatever_its_parts_hold() {
        Fuzz.run(400, fuzz -> {
            String line = new Problem(
                            ProblemCode.DFB201,
                            fuzz.text(fuzz.oneOf(3, 300)),
                            fuzz.text(fuzz.oneOf(3, 3_000)),
                            fuzz.text(fuzz.oneOf(3, 3_000)))
                    .toString();

            assertThat(line).startsWith("DFB201: ").hasSizeLessThan(3_100);
            assertThat(line.codePoints()).allMatch(Visible::isPlain);
        });
    }

    /** In every way in which an exception can be bad company. */
    private static final class Rude extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Fuzz fuzz;

        Rude(Fuzz fuzz) {
            this.fuzz = fuzz;
        }

        private String maybe() {
            return switch (fuzz.below(6)) {
                case 0 -> null;
                case 1 -> throw new IllegalStateException("no message");
                case 2 -> throw new NoClassDefFoundError("com/example/Gone");
                case 3 -> throw new StackOverflowError();
                default -> fuzz.text(300) + "\npassword=hunter2hunter2";
            };
        }

        @Override
        public String getMessage() {
            return maybe();
        }

        @Override
        public String toString() {
            return maybe();
        }

        @Override
        public synchronized Throwable getCause() {
            return switch (fuzz.below(4)) {
                case 0 -> this;
                case 1 -> new Rude(fuzz);
                case 2 -> throw new IllegalStateException("no cause");
                default -> null;
            };
        }
    }

    @Test
    void an_exception_that_is_bad_company_is_still_told_of_in_one_clean_line() {
        Fuzz.run(200, fuzz -> {
            String said = FailureText.of(new Rude(fuzz));

            assertThat(said).startsWith("FailureTextFuzzTest.Rude").doesNotContain("hunter2");
            assertThat(said.codePoints()).allMatch(Visible::isPlain);
        });
    }

    @Test
    void a_stack_trace_in_a_log_has_no_line_that_an_exception_wrote() {
        Fuzz.run(100, fuzz -> {
            StringWriter log = new StringWriter();
            Retold.of(new Rude(fuzz)).printStackTrace(new PrintWriter(log));

            assertThat(log.toString()).doesNotContain("hunter2");
            assertThat(log.toString().lines())
                    .allMatch(line -> line.startsWith("FailureTextFuzzTest.Rude")
                            || line.startsWith("Caused by: FailureTextFuzzTest.Rude")
                            || line.startsWith("\tat ")
                            || line.startsWith("\t... "));
        });
    }

    @Test
    void what_is_harmless_stays_as_it_is() {
        Fuzz.run(1_000, fuzz -> {
            String text =
                    fuzz.word(1 + fuzz.below(20)) + " answered " + fuzz.below(600) + " after " + fuzz.below(99) + " ms";
            assertThat(FailureText.clean(text)).isEqualTo(text);
        });
    }
}
