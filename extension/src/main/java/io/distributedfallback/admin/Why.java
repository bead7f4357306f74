package io.distributedfallback.admin;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.BreakerStatus.RampUp;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.Policy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** What a breaker is doing and why, in one English sentence. What outranks the rest comes first. */
final class Why {

    private final BreakerStatus status;
    private final Policy policy;
    private final Instant now;

    private Why(BreakerStatus status, Policy policy, Instant now) {
        this.status = status;
        this.policy = policy;
        this.now = now;
    }

    static String of(BreakerStatus status, Policy policy, Instant now) {
        return new Why(status, policy, now).sentence();
    }

    private String sentence() {
        return status.holds().override().map(this::forced).orElseGet(this::unforced);
    }

    private String forced(OperatorOverride override) {
        return (override.mode() == OverrideMode.FORCED_OPEN ? "Forced open by " : "Forced closed by ")
                + override.by()
                + override.left().map(left -> " for another " + span(left)).orElse(" until somebody clears it")
                + ": " + override.reason() + (endsLikeSentence(override.reason()) ? "" : ".");
    }

    private static boolean endsLikeSentence(String text) {
        return text.endsWith(".") || text.endsWith("!") || text.endsWith("?");
    }

    private String unforced() {
        if (isOpen()) {
            return "Open" + since() + after() + "; " + recovery() + pause() + ".";
        }
        if (status.alone()) {
            return "Closed for all, but this instance alone keeps away, because the provider fails here" + counts()
                    + ".";
        }
        if (isPositive(status.holds().cooldownLeft())) {
            return "Closed, but in a pause that the provider asked for, which ends in "
                    + span(status.holds().cooldownLeft()) + counts() + ".";
        }
        String counts = counts();
        if (status.recovery().rampUp().isPresent()) {
            RampUp rampUp = status.recovery().rampUp().get();
            return "Closed" + closedAt() + ", and ramping up: " + (int) (100 * rampUp.share())
                    + " % of the calls go to the primary, all of them in " + span(rampUp.left()) + counts + ".";
        }
        return counts.isEmpty()
                ? "Closed" + closedAt() + ", with no failures" + (closedAt().isEmpty() ? "." : " since.")
                : "Closed" + counts + ".";
    }

    private String closedAt() {
        return status.standing().closedAt().map(at -> " since " + moment(at)).orElse("");
    }

    private boolean isOpen() {
        return status.standing().state() == BreakerState.OPEN;
    }

    private String since() {
        return status.standing().openedAt().map(at -> " since " + moment(at)).orElse("");
    }

    /** A window that opened the breaker is still shown, and then fewer failed in a row than the threshold. */
    private String after() {
        int inRow = status.standing().consecutiveFailures();
        int threshold = status.standing().countedAgainst().orElse(policy.failureThreshold());
        if (inRow < threshold && status.window().calls() > 0) {
            return " after " + status.window().failures() + " of "
                    + calls(status.window().calls()) + " failed";
        }
        return inRow > 0 ? " after " + failures(inRow) + " in a row" : "";
    }

    private String recovery() {
        String what = policy.recovery() == Recovery.TRIAL ? "trial" : "probe";
        String passed =
                status.recovery().consecutiveSuccesses() + " of " + policy.probeSuccesses() + " " + what + "s passed, ";
        if (isPositive(status.recovery().leaseLeft())) {
            return passed + "a " + what + " is under way";
        }
        Duration left = status.recovery().untilNextProbe().orElse(Duration.ZERO);
        if (isPositive(left)) {
            return passed + "next " + what + " in " + span(left);
        }
        return passed
                + (what.equals("probe") && policy.probeTrigger() == ProbeTrigger.BACKGROUND
                        ? "the next probe is due"
                        : "the next call brings the next " + what);
    }

    private String pause() {
        return isPositive(status.holds().cooldownLeft())
                ? ", and the provider asked for a pause, which ends in "
                        + span(status.holds().cooldownLeft())
                : "";
    }

    private String counts() {
        int inRow = status.standing().consecutiveFailures();
        String row = inRow > 0
                ? ", with " + inRow + " of "
                        + failures(status.standing().countedAgainst().orElse(policy.failureThreshold()))
                        + " in a row"
                : "";
        String window = isPositive(status.window().left())
                ? (row.isEmpty() ? ", with " : " and ")
                        + status.window().failures() + " of "
                        + calls(status.window().calls()) + " failed in a window that ends in "
                        + span(status.window().left())
                : "";
        return row + window;
    }

    private static String failures(int number) {
        return number + (number == 1 ? " failure" : " failures");
    }

    private static String calls(int number) {
        return number + (number == 1 ? " call" : " calls");
    }

    private static boolean isPositive(Duration duration) {
        return duration.compareTo(Duration.ZERO) > 0;
    }

    /** The time of day is enough for today. */
    private String moment(Instant at) {
        String text = at.truncatedTo(ChronoUnit.SECONDS).toString();
        return day(at).equals(day(now)) ? text.substring(text.indexOf('T') + 1) : text;
    }

    private static LocalDate day(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC);
    }

    /** Rounded up: what has not come yet is not said to be there. */
    private static String span(Duration duration) {
        long seconds = duration.plusNanos(999_999_999).toSeconds();
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = (seconds + 59) / 60;
        if (minutes < 120) {
            return minutes + " min";
        }
        long hours = (minutes + 59) / 60;
        return hours < 72 ? hours + " h" : (hours + 23) / 24 + " days";
    }
}
