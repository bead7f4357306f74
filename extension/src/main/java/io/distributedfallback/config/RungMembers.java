package io.distributedfallback.config;

import io.distributedfallback.FallbackLimit;
import io.distributedfallback.LastGood;
import io.distributedfallback.QueueWhenOpen;
import io.distributedfallback.config.ConfigValues.Found;
import io.distributedfallback.core.Problem;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Puts the configuration over the members of an annotation that stands beside {@code @DistributedFallback}, as
 * {@link MemberOverrides} does for that one: {@code <class>/<method>/<annotation>/<member>}, then
 * {@code <class>/<annotation>/<member>}, then {@code <annotation>/<member>}, wherever the annotation stands. The class is
 * that of the bean, or one above it: the nearest that is set holds. A further
 * key, {@code enabled}, switches the annotation off. A value that is not usable is a problem, and so is a member of the
 * annotation itself that is not.
 */
public final class RungMembers {

    private static final String ENABLED = "enabled";

    /** The annotations, and what a key of theirs may end with. */
    static final Map<String, Set<String>> KNOWN = known(LastGood.class, FallbackLimit.class, QueueWhenOpen.class);

    private final ConfigValues values;
    private final String annotation;
    private final Site site;
    private final Consumer<Problem> problems;

    RungMembers(ConfigValues values, Class<? extends Annotation> annotation, Site site, Consumer<Problem> problems) {
        this.values = values;
        this.annotation = annotation.getSimpleName();
        this.site = site;
        this.problems = problems;
    }

    /**
     * Where an annotation holds.
     *
     * @param bean the class of the bean
     * @param guarded the method, which may be one of a superclass, or of an interface of a REST client's
     */
    record Site(Class<?> bean, Method guarded) {

        private List<String> classes() {
            Set<String> names = new LinkedHashSet<>();
            for (Class<?> type = bean; type != null && type != Object.class; type = type.getSuperclass()) {
                names.add(type.getName());
            }
            names.add(guarded.getDeclaringClass().getName());
            return List.copyOf(names);
        }

        private String place() {
            return guarded.getDeclaringClass().getName() + "." + guarded.getName();
        }
    }

    @SafeVarargs
    private static Map<String, Set<String>> known(Class<? extends Annotation>... annotations) {
        Map<String, Set<String>> known = new TreeMap<>();
        for (Class<? extends Annotation> annotation : annotations) {
            Set<String> members = new TreeSet<>(Set.of(ENABLED));
            Arrays.stream(annotation.getDeclaredMethods()).map(Method::getName).forEach(members::add);
            known.put(annotation.getSimpleName(), members);
        }
        return known;
    }

    /** Whether the annotation is in force. */
    public boolean isEnabled() {
        return find(ENABLED)
                .flatMap(found -> found.read(ConfigValues::truth, "true or false", problems))
                .orElse(true);
    }

    /** A whole number within bounds. */
    public int count(String member, int annotated, int least, int most) {
        return read(
                        member,
                        String.valueOf(annotated),
                        text -> whole(text, least, most),
                        "a whole number from " + least + " to " + most)
                .orElse(least);
    }

    /** A positive duration. */
    public Duration duration(String member, String annotated) {
        return read(member, annotated, Durations::parse, "a duration, such as 250ms, 15s or PT15S")
                .orElse(Durations.SHORTEST);
    }

    /** A positive duration, or empty for {@code off}. */
    public Optional<Duration> durationOrOff(String member, String annotated) {
        return read(member, annotated, Durations::parseOrOff, "off, or a duration, such as 250ms, 15s or PT15S")
                .orElse(Optional.empty());
    }

    /** A constant. */
    public <E extends Enum<E>> E constant(String member, E annotated) {
        Class<E> type = annotated.getDeclaringClass();
        return read(
                        member,
                        annotated.name(),
                        text -> ConfigValues.constant(type, text),
                        "one of " + Arrays.toString(type.getEnumConstants()))
                .orElse(annotated);
    }

    /** A text, which may be empty. */
    public String text(String member, String annotated) {
        return find(member).map(Found::text).orElse(annotated);
    }

    /** The configured value, or else the annotation's own; a configured one that is not usable leaves the annotation's. */
    private <T> Optional<T> read(String member, String annotated, Function<String, T> parser, String expected) {
        return find(member)
                .flatMap(found -> found.read(parser, expected, problems))
                .or(() -> new Found("@" + annotation + "." + member + " on " + site.place(), annotated)
                        .read(parser, expected, problems));
    }

    private static int whole(String text, int least, int most) {
        int number;
        try {
            number = PolicyKey.wholeNumber(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("it is no whole number", e);
        }
        if (number < least || number > most) {
            throw new IllegalArgumentException("it is out of range");
        }
        return number;
    }

    private Optional<Found> find(String member) {
        String key = annotation + "/" + member;
        List<String> classes = site.classes();
        Stream<String> ofMethod = classes.stream().map(type -> type + "/" + site.guarded.getName() + "/" + key);
        Stream<String> ofClass = classes.stream().map(type -> type + "/" + key);
        return Stream.of(ofMethod, ofClass, Stream.of(key))
                .flatMap(Function.identity())
                .map(name -> values.find(name, problems))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
