package io.distributedfallback.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;

/**
 * Tells a request that the page sent from one that another site had the browser send, with the cookies or the login of
 * somebody who may give commands. Each of these alone is enough; all must hold:
 *
 * <ol>
 *   <li>a header of our own, which no form can send, and no script of another site without being allowed to, and nobody is
 *       ever allowed to here;
 *   <li>JSON, which no form can send either;
 *   <li>what the browser says: {@code Sec-Fetch-Site}, which no script can set; without it {@code Origin}, which must be
 *       the host asked. Without both it was no browser of today.
 * </ol>
 */
final class Origins {

    static final String HEADER = "X-Distributed-Fallback";
    static final String HEADER_VALUE = "command";

    private static final Map<String, Integer> DEFAULT_PORTS = Map.of("http", 80, "https", 443);

    private Origins() {}

    static void requireSame(HttpServletRequest request) {
        if (!HEADER_VALUE.equals(only(request, HEADER))) {
            throw Refusal.crossSite("A command needs the header " + HEADER + ": " + HEADER_VALUE);
        }
        if (!isJson(only(request, "Content-Type"))) {
            throw Refusal.crossSite("A command needs the header Content-Type: application/json");
        }
        String site = only(request, "Sec-Fetch-Site");
        boolean isSame = site != null ? site.equals("same-origin") : isOwn(only(request, "Origin"), request);
        if (!isSame) {
            throw Refusal.crossSite("A command must come from the page that this server sent");
        }
    }

    /** Null if it is missing. Twice is never right: who knows which one somebody else looked at. */
    private static String only(HttpServletRequest request, String header) {
        Enumeration<String> values = request.getHeaders(header);
        if (!values.hasMoreElements()) {
            return null;
        }
        String value = values.nextElement();
        if (values.hasMoreElements()) {
            throw Refusal.crossSite("The header " + header + " comes twice");
        }
        return value;
    }

    private static boolean isJson(String type) {
        if (type == null) {
            return false;
        }
        String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
        return parts[0].strip().equals("application/json")
                && (parts.length == 1
                        || (parts.length == 2
                                && parts[1].strip().replace("\"", "").equals("charset=utf-8")));
    }

    /**
     * By host and port alone: where TLS ends before the server, that does not know the scheme that the browser sees. The
     * browser leaves out the scheme's own port, and what stands in between may put it in.
     *
     * @param origin null if there is none
     */
    private static boolean isOwn(String origin, HttpServletRequest request) {
        if (origin == null) {
            return true;
        }
        try {
            URI uri = new URI(origin);
            String host = only(request, "Host");
            String authority = uri.getRawAuthority();
            Integer port = uri.getScheme() == null ? null : DEFAULT_PORTS.get(uri.getScheme());
            return authority != null
                    && port != null
                    && (authority.equalsIgnoreCase(host) || (authority + ":" + port).equalsIgnoreCase(host));
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
