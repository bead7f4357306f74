package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code Retry-After} (RFC 9110, section 10.2.3): seconds, or a date in one of the three forms of section 5.6.7.
 *
 * <ol>
 *   <li>Seconds are a pause of that length. A fraction, which some providers send, is rounded up.
 *   <li>A date, if the answer says in its {@code Date} what the provider takes for now, is a pause of the difference;
 *       zero if it has passed. The clocks of three parties need not agree then.
 *   <li>Any other date is a moment, for the store's clock to judge. The instance's own clock is never read.
 *   <li>Of several values the longest pause is taken: whoever stays away longer does no harm.
 *   <li>What is none of this, negative numbers included, says nothing.
 * </ol>
 *
 * <p>No pause is longer than {@link #LONGEST}: a number of any size can be added to a time without overflow, and the
 * policy's maximum, which is far below, does the rest.
 */
final class RetryAfterHeader {

    /** The longest pause that is ever returned. */
    static final Duration LONGEST = Duration.ofDays(365);

    /** No honest value is longer; the rest is not worth a look. */
    private static final int LONGEST_HEADER = 500;

    private static final Pattern DAY = Pattern.compile("(?i)(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]+(\\.[0-9]+)?");
    private static final Pattern DAY_FIRST =
            Pattern.compile("[A-Za-z]+, *(?<day>[0-9]{1,2})[ -](?<month>[A-Za-z]{3})[ -](?<year>[0-9]{4}|[0-9]{2})"
                    + " (?<time>[0-9]{2}:[0-9]{2}:[0-9]{2}) (?:GMT|UTC)");
    private static final Pattern ASCTIME = Pattern.compile("[A-Za-z]{3} (?<month>[A-Za-z]{3}) {1,2}(?<day>[0-9]{1,2})"
            + " (?<time>[0-9]{2}:[0-9]{2}:[0-9]{2}) (?<year>[0-9]{4})");
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    /**
     * A year of two digits is to be taken for one that is not more than 50 years ahead. That would ask for a clock; a
     * fixed century does, for a date far in the past and one far in the future both are no pause worth waiting for.
     */
    private static final int FIRST_YEAR = 1976;

    private RetryAfterHeader() {}

    /**
     * Reads the header.
     *
     * @param value the header's value
     * @param date the value of the header {@code Date} of the same answer, if it has one
     * @return the pause; empty if the value names none
     */
    static Optional<RetryAfter> parse(String value, Optional<String> date) {
        if (value.length() > LONGEST_HEADER) {
            return Optional.empty();
        }
        List<RetryAfter> pauses = new ArrayList<>();
        for (String element : elements(value)) {
            parseOne(element, date).ifPresent(pauses::add);
        }
        return pauses.stream().max(Comparator.comparing(RetryAfterHeader::length));
    }

    private static Optional<RetryAfter> parseOne(String element, Optional<String> date) {
        if (SECONDS.matcher(element).matches()) {
            return Optional.of(new RetryAfter.In(seconds(element)));
        }
        return moment(element)
                .map(until -> date.map(String::strip)
                        .flatMap(RetryAfterHeader::moment)
                        .<RetryAfter>map(now -> new RetryAfter.In(between(now, until)))
                        .orElseGet(() -> new RetryAfter.At(until)));
    }

    /** Splits at commas, except at the one that follows the name of a day. */
    private static List<String> elements(String value) {
        List<String> elements = new ArrayList<>();
        String day = "";
        for (String part : value.split(",", -1)) {
            String text = part.strip();
            if (DAY.matcher(text).matches()) {
                day = text + ", ";
            } else {
                elements.add(day + text);
                day = "";
            }
        }
        return elements;
    }

    /** Only values of one kind can be compared; a moment counts for more than a number beside it. */
    private static Duration length(RetryAfter pause) {
        if (pause instanceof RetryAfter.At at) {
            return Duration.between(Instant.EPOCH, at.moment()).plus(LONGEST);
        }
        return ((RetryAfter.In) pause).delay();
    }

    private static Duration seconds(String digits) {
        BigDecimal seconds = new BigDecimal(digits).setScale(0, RoundingMode.CEILING);
        BigDecimal most = BigDecimal.valueOf(LONGEST.toSeconds());
        return Duration.ofSeconds(seconds.min(most).longValueExact());
    }

    private static Duration between(Instant now, Instant until) {
        Duration pause = Duration.between(now, until);
        if (pause.isNegative()) {
            return Duration.ZERO;
        }
        return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    }

    private static Optional<Instant> moment(String text) {
        Matcher dayFirst = DAY_FIRST.matcher(text);
        if (dayFirst.matches()) {
            return moment(dayFirst);
        }
        Matcher asctime = ASCTIME.matcher(text);
        return asctime.matches() ? moment(asctime) : Optional.empty();
    }

    /** The name of the day is not compared: a provider that gets it wrong has still said when. */
    private static Optional<Instant> moment(Matcher date) {
        int month = MONTHS.indexOf(date.group("month").toLowerCase(Locale.ROOT));
        String[] time = date.group("time").split(":", -1);
        if (month < 0 || month % 3 != 0) {
            return Optional.empty();
        }
        try {
            int leapSecond = Integer.parseInt(time[2]) == 60 ? 59 : Integer.parseInt(time[2]);
            return Optional.of(LocalDateTime.of(
                            year(date.group("year")),
                            month / 3 + 1,
                            Integer.parseInt(date.group("day")),
                            Integer.parseInt(time[0]),
                            Integer.parseInt(time[1]),
                            leapSecond)
                    .toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int year(String digits) {
        int year = Integer.parseInt(digits);
        if (digits.length() > 2) {
            return year;
        }
        int century = FIRST_YEAR / 100 * 100 + year;
        return century < FIRST_YEAR ? century + 100 : century;
    }
}
