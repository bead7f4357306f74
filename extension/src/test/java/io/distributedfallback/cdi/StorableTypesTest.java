package io.distributedfallback.cdi;

import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which arguments survive as JSON: those that pass the check come back as they were, by a real JSON-B. */
class StorableTypesTest {

    enum Colour {
        RED,
        BLUE
    }

    public record Item(String name, BigDecimal price, List<Colour> colours, Optional<String> note) {}

    /** A bean as they are made. */
    public static class Customer {
        private String name;
        private boolean known;
        public int number;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public boolean isKnown() {
            return known;
        }

        public void setKnown(boolean known) {
            this.known = known;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Customer same
                    && same.name.equals(name)
                    && same.known == known
                    && same.number == number;
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, known, number);
        }
    }

    /** One that is made at once. */
    public static final class Money {
        private final long cents;

        @JsonbCreator
        public Money(@JsonbProperty("cents") long cents) {
            this.cents = cents;
        }

        public long getCents() {
            return cents;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Money same && same.cents == cents;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(cents);
        }
    }

    /** Hides half of itself. */
    public static class Half {
        public String seen;
        private String hidden;

        String hidden() {
            return hidden;
        }

        void hide(String text) {
            hidden = text;
        }
    }

    /** Leads back to itself. */
    public record Tree(String name, List<Tree> children) {}

    /** Holds what cannot be stored. */
    public record Upload(String name, InputStream content) {}

    interface Good {
        void take(
                String text,
                int number,
                Long boxed,
                char letter,
                double real,
                Colour colour,
                UUID id,
                URI place,
                Instant at,
                LocalDate day,
                Duration pause,
                byte[] bytes,
                Item item,
                List<Item> items,
                Map<String, List<Integer>> map,
                Set<Colour> set,
                Optional<String> some,
                Optional<String> none,
                Customer customer,
                Money money,
                Tree tree,
                String nothing);
    }

    interface Bad<T> {
        void take(
                Object any,
                InputStream stream,
                Stream<String> values,
                Runnable work,
                Supplier<String> later,
                CharSequence text,
                @SuppressWarnings("rawtypes") List raw,
                List<?> unknown,
                Map<Item, String> keys,
                T variable,
                Half half,
                Upload upload,
                Thread thread,
                Number number);
    }

    private static Type[] parameters(Class<?> type) {
        Method take = type.getDeclaredMethods()[0];
        return take.getGenericParameterTypes();
    }

    @Test
    void what_can_be_stored_comes_back_as_it_was() {
        Customer customer = new Customer();
        customer.setName("Anna");
        customer.setKnown(true);
        customer.number = 7;
        Item item = new Item("tea \u0000 \"x\"", new BigDecimal("12.50"), List.of(Colour.RED), Optional.of("green"));
        Object[] arguments = {
            "text ] , [",
            1,
            Long.MAX_VALUE,
            'c',
            0.1,
            Colour.BLUE,
            UUID.fromString("00000000-0000-4000-8000-000000000001"),
            URI.create("https://example.com/a?b=c"),
            Instant.parse("2026-11-30T12:00:00.123456789Z"),
            LocalDate.of(2026, 11, 30),
            Duration.ofMillis(1500),
            new byte[] {1, -1},
            item,
            List.of(item, new Item("b", BigDecimal.ONE, List.of(), Optional.empty())),
            Map.of("a", List.of(1, 2)),
            Set.of(Colour.RED),
            Optional.of("some"),
            Optional.empty(),
            customer,
            new Money(4711),
            new Tree("root", List.of(new Tree("leaf", List.of()))),
            null
        };
        List<Type> types = Arrays.asList(parameters(Good.class));
        assertThat(types)
                .allSatisfy(type -> assertThat(StorableTypes.flaw(type)).isEmpty());

        JsonArguments json = JsonArguments.of(types);
        Object[] read = json.read(json.write(arguments));

        assertThat(read).usingRecursiveComparison().isEqualTo(arguments);
    }

    @Test
    void what_cannot_is_told_apart() {
        assertThat(parameters(Bad.class))
                .allSatisfy(type ->
                        assertThat(StorableTypes.flaw(type)).as("%s", type).isPresent());
        assertThat(StorableTypes.flaw(Half.class).orElseThrow()).contains("Half.hidden", "no public get and set");
        assertThat(StorableTypes.flaw(Upload.class).orElseThrow()).contains("Upload.content", "java.io.InputStream");
    }

    /** Its name in the code is not its name for people. */
    enum Size {
        SMALL,
        LARGE;

        @Override
        public String toString() {
            return name().charAt(0) + "";
        }
    }

    /** Has something in it from the start. */
    public static class Order {
        public String state = "new";
        public Map<String, String> notes = new HashMap<>();
        public Map<Size, Integer> sizes = new HashMap<>();
    }

    /** Can be made, and cannot be read. */
    public static final class Secret {
        private final String text;

        @JsonbCreator
        public Secret(@JsonbProperty("text") String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** More than its superclass says. */
    public static class Express extends Customer {
        public String courier;
    }

    public record Times(
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offset,
            OffsetTime offsetTime,
            ZonedDateTime zoned,
            ZoneId zone,
            ZoneOffset zoneOffset,
            Duration duration,
            Period period,
            DayOfWeek day,
            Month month) {}

    interface Others {
        void take(
                Order order, Times times, BigDecimal[] numbers, char[] letters, List<Optional<Size>> sizes, float real);
    }

    @Test
    void nulls_constants_and_times_come_back_as_they_were() {
        Order order = new Order();
        order.state = null;
        order.notes.put("none", null);
        order.sizes.put(Size.LARGE, 1);
        Times times = new Times(
                Instant.parse("2026-11-30T12:00:00.123456789Z"),
                LocalDate.of(2026, 11, 30),
                LocalTime.of(1, 2, 3, 4),
                LocalDateTime.of(2026, 11, 30, 1, 2),
                OffsetDateTime.parse("2026-11-30T12:00:00.5+02:00"),
                OffsetTime.parse("12:00:00+02:00"),
                ZonedDateTime.of(LocalDateTime.of(2026, 10, 25, 2, 30), ZoneId.of("Europe/Berlin")),
                ZoneId.of("Europe/Berlin"),
                ZoneOffset.ofHours(3),
                Duration.ofNanos(1),
                Period.ofMonths(3),
                DayOfWeek.MONDAY,
                Month.MAY);
        Object[] arguments = {
            order,
            times,
            new BigDecimal[] {new BigDecimal("1.10"), new BigDecimal("1E+40"), new BigDecimal("0.000000000000000000001")
            },
            new char[] {'a', 'ö'},
            List.of(Optional.of(Size.SMALL), Optional.empty()),
            0.1f
        };
        List<Type> types = Arrays.asList(parameters(Others.class));
        assertThat(types)
                .allSatisfy(type -> assertThat(StorableTypes.flaw(type)).isEmpty());
        JsonArguments json = JsonArguments.of(types);
        assertThat(json.read(json.write(arguments))).usingRecursiveComparison().isEqualTo(arguments);
    }

    @Test
    void every_time_that_may_be_stored_comes_back() {
        Object[] times = {Year.of(2026), YearMonth.of(2026, 11), MonthDay.of(2, 29)};
        for (Object time : times) {
            if (StorableTypes.flaw(time.getClass()).isEmpty()) {
                JsonArguments json = JsonArguments.of(List.of(time.getClass()));
                assertThat(json.read(json.write(new Object[] {time}))).containsExactly(time);
            }
        }
    }

    @Test
    void what_cannot_be_read_from_an_object_is_told_although_it_can_be_made() {
        assertThat(StorableTypes.flaw(Secret.class))
                .hasValueSatisfying(flaw -> assertThat(flaw).contains("Secret.text"));
    }

    @Test
    void an_argument_that_would_come_back_as_less_is_not_written() {
        Express express = new Express();
        express.courier = "Otto";
        express.setName("Anna");
        JsonArguments json = JsonArguments.of(List.of(Customer.class, int.class));
        assertThatThrownBy(() -> json.write(new Object[] {express, 1})).hasMessageContaining("argument 1");
        JsonArguments list = JsonArguments.of(List.of(parameters(Many.class)[0]));
        assertThatThrownBy(() -> list.write(new Object[] {List.of(express)})).hasMessageContaining("argument 1");
        Set<String> letters = new LinkedHashSet<>(List.of("zebra", "bear", "ant", "cat"));
        assertThat(JsonArguments.of(List.of(parameters(Many.class)[1])).write(new Object[] {letters}))
                .isEqualTo("[[\"zebra\",\"bear\",\"ant\",\"cat\"]]");
    }

    interface Many {
        void take(List<Customer> customers, Set<String> letters);
    }

    @Test
    void arguments_that_do_not_fit_are_refused() {
        JsonArguments json = JsonArguments.of(List.of(String.class, int.class));
        assertThatThrownBy(() -> json.read("[\"a\"]")).hasMessageContaining("2 parameters");
        assertThatThrownBy(() -> json.read("[\"a\", \"b\"]")).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> json.read("no JSON")).isInstanceOf(RuntimeException.class);
    }

    @Test
    void long_keys_are_shortened_and_stay_apart() {
        String one = KeyText.shortened("x".repeat(300) + "1", 200);
        assertThat(one).hasSize(200).isNotEqualTo(KeyText.shortened("x".repeat(300) + "2", 200));
    }
}
