package io.distributedfallback.core;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a text that came from outside fit for logs and rows: one line without control characters, at most
 * {@value #LONGEST} characters, with secrets masked.
 *
 * <ol>
 *   <li>Only the head of a long text is looked at. If its last word may be half of a secret, that word goes.
 *   <li>Of a URL, the user and password and the query are masked; of a path with a query, the query.
 *   <li>Of an {@code Authorization} header or a cookie, everything to the end of its line; of a bearer or basic credential that
 *       stands alone, the credential.
 *   <li>Of pairs such as {@code api_key=...}, {@code "password": "..."}, {@code token: ...}, the value.
 *   <li>What is known as a secret by its form alone: private keys, signed tokens, keys of large providers.
 *   <li>Control characters, line breaks and characters that change the direction of writing become spaces.
 * </ol>
 *
 * <p>This is a second fence and not a promise: a provider that writes a key into plain prose is not seen through.
 */
public final class FailureText {

    /** The longest text kept, in characters. */
    public static final int LONGEST = 300;

    private static final int LONGEST_READ = 8 * LONGEST;
    private static final String MASK = "***";

    private static final Pattern URL = Pattern.compile("://(?<rest>[^\\s\"'<>]+)");
    private static final Pattern USER = Pattern.compile("^(?:[^/?#:@]+:(?!\\d{1,5}(?:[/?#]|$)).*|[^/?#]*)@");
    private static final Pattern QUERY = Pattern.compile("\\?[^\\s\"'<>?]*=[^\\s\"'<>]*");
    private static final Pattern AUTHORIZATION =
            Pattern.compile("(?i)(?<name>\\b(?:(?:proxy-)?authorization|(?:set-)?cookie)[\"']?\\s{0,5}[:=])"
                    + "[^\\r\\n]*(?:\\r?\\n[ \\t]+[^\\r\\n]*)*+");
    private static final Pattern CREDENTIAL =
            Pattern.compile("(?<scheme>\\b(?i:bearer|basic))\\s{1,5}(?![a-z]+\\b)[A-Za-z0-9+/._~=-]{6,}");
    private static final Pattern PAIR = Pattern.compile(
            "(?i)(?<name>(?:\\b|_|-)(?:api[_-]?key|apikey|[a-z_-]{0,20}key(?==)|[a-z_-]{1,30}-key(?=\\s{0,5}:)"
                    + "|[a-z_-]{0,20}(?:access|account|private)[_-]?key|[a-z_-]{0,20}(?:token|secret|password)|passwd|pwd"
                    + "|passphrase|signature|sig|session[_-]?id|jsessionid)[\"']?\\s{0,5}[:=]\\s{0,5})"
                    + "(?<value>\"[^\"\\\\]*+(?:\\\\(?s:.)[^\"\\\\]*+)*+\"?|'[^']*'?|[^\\s,;&\"'<>)\\]}]+)");

    /** A user and password before a host, where no scheme tells that it is one; and Oracle's, parted by a slash. */
    private static final Pattern LOGIN =
            Pattern.compile("(?<![\\w./:@-])(?:[\\w.+-]{1,100}:(?!//)[^\\s\"'<>]{1,200})@(?=[\\w\\[])"
                    + "|(?<=:thin:)[^\\s/@]{1,100}/[^\\s\"'<>]{1,200}@");

    private static final Pattern PRIVATE_KEY = Pattern.compile(
            "-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\\z)");

    private static final Pattern KNOWN_FORM = Pattern.compile("\\b(?:eyJ[\\w-]{5,}\\.[\\w-]+(?:\\.[\\w-]*)?"
            + "|(?:AKIA|ASIA)[A-Z0-9]{12,}|gh[pousr]_\\w{10,}|xox[a-z]-[\\w-]{8,}|[spr]k_(?:live|test)_\\w{8,}"
            + "|AIza[\\w-]{20,})");

    private FailureText() {}

    /** The type and the message of a failure, after the status if it is an answer over HTTP. */
    public static String of(Throwable failure) {
        String type = typeName(failure.getClass());
        String message = message(failure);
        String said = message.isBlank() ? type : type + ": " + message;
        return clean(HttpAnswer.in(failure)
                .map(answer -> "HTTP " + answer.status() + " (" + said + ")")
                .orElse(said));
    }

    private static String typeName(Class<?> type) {
        String name = type.getName();
        return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }

    /** An exception that fails to say what it is must not take the place of what went wrong. */
    private static String message(Throwable failure) {
        try {
            String message = failure.getMessage();
            return message == null ? "" : message;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return "";
        }
    }

    /** Masks secrets and makes one short line. */
    public static String clean(String text) {
        return masked(text, LONGEST);
    }

    /** The same with another length. */
    public static String masked(String text, int longest) {
        String masked = PRIVATE_KEY.matcher(head(text)).replaceAll(MASK);
        masked = URL.matcher(masked).replaceAll(FailureText::maskedUrl);
        masked = LOGIN.matcher(masked).replaceAll(MASK + "@");
        masked = QUERY.matcher(masked).replaceAll("?" + MASK);
        masked = AUTHORIZATION.matcher(masked).replaceAll("${name} " + MASK);
        masked = CREDENTIAL.matcher(masked).replaceAll("${scheme} " + MASK);
        masked = PAIR.matcher(masked).replaceAll("${name}" + MASK);
        return oneLine(KNOWN_FORM.matcher(masked).replaceAll(MASK), longest);
    }

    private static String head(String text) {
        if (text.length() <= LONGEST_READ) {
            return text;
        }
        String head = text.substring(0, LONGEST_READ);
        int word = head.length();
        while (word > 0 && !Character.isWhitespace(head.charAt(word - 1))) {
            word--;
        }
        boolean maybeSecret = head.substring(word).chars().anyMatch(c -> c == ':' || c == '=' || c == '@');
        return (maybeSecret ? head.substring(0, word) : head) + '…';
    }

    private static String maskedUrl(MatchResult url) {
        String rest = USER.matcher(url.group(1)).replaceFirst(MASK + "@");
        int query = rest.indexOf('?');
        return Matcher.quoteReplacement("://" + (query < 0 ? rest : rest.substring(0, query) + "?" + MASK));
    }

    /** Makes one short line. */
    public static String oneLine(String text) {
        return oneLine(text, LONGEST);
    }

    /** The same with another length. */
    static String oneLine(String text, int longest) {
        boolean cut = text.length() > longest;
        int end = cut ? longest - 1 : text.length();
        if (cut && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        StringBuilder line = new StringBuilder(end + 1);
        text.substring(0, end).codePoints().forEach(c -> line.appendCodePoint(Visible.isPlain(c) ? c : ' '));
        return cut ? line.append('…').toString() : line.toString();
    }
}
