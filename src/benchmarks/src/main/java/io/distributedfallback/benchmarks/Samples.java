package io.distributedfallback.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The same thing measured several times, once in each round.
 *
 * @param values by round
 */
public record Samples(List<Double> values) {

    public Samples {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        values = List.copyOf(values);
    }

    /** Of these values. */
    public static Samples of(double... values) {
        return new Samples(DoubleStream.of(values).boxed().toList());
    }

    /**
     * What each round says of this and of another thing. A machine that is slow for a while is slow for both: the noise
     * of a ratio is less than that of its parts.
     */
    public Samples against(Samples other, DoubleBinaryOperator comparison) {
        if (values.size() != other.values.size()) {
            throw new IllegalArgumentException(values.size() + " and " + other.values.size() + " rounds");
        }
        return new Samples(IntStream.range(0, values.size())
                .mapToObj(round -> comparison.applyAsDouble(values.get(round), other.values.get(round)))
                .toList());
    }

    /** The one in the middle. */
    public double median() {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The median, and the least and the most as the noise. */
    public String show(String format) {
        String median = show(format, median());
        return values.size() == 1
                ? median
                : median + " (" + show(format, extreme(DoubleStream::min)) + "–"
                        + show(format, extreme(DoubleStream::max)) + ")";
    }

    private double extreme(Function<DoubleStream, OptionalDouble> which) {
        return which.apply(values.stream().mapToDouble(Double::doubleValue)).orElseThrow();
    }

    private static String show(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
