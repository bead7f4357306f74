package io.distributedfallback.cdi;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** The classes of Java whose values JSON-B writes and reads by its own rules. */
final class JsonClasses {

    static final Set<Class<?>> PLAIN = Set.of(
            String.class,
            Boolean.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            Character.class,
            BigDecimal.class,
            BigInteger.class,
            UUID.class,
            URI.class,
            URL.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class);

    /** Those that JSON-B knows; what it does with others, such as a year, is each product's own business. */
    static final Set<Class<?>> TIMES = Set.of(
            Instant.class,
            Duration.class,
            Period.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            OffsetTime.class,
            ZonedDateTime.class,
            ZoneId.class,
            ZoneOffset.class);

    static final Set<Class<?>> COLLECTIONS = Set.of(
            Collection.class,
            List.class,
            Set.class,
            SortedSet.class,
            NavigableSet.class,
            Queue.class,
            Deque.class,
            ArrayList.class,
            LinkedList.class,
            ArrayDeque.class,
            HashSet.class,
            LinkedHashSet.class,
            TreeSet.class,
            Optional.class);

    static final Set<Class<?>> MAPS =
            Set.of(Map.class, SortedMap.class, NavigableMap.class, HashMap.class, LinkedHashMap.class, TreeMap.class);

    private JsonClasses() {}
}
