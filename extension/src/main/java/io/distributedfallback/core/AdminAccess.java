package io.distributedfallback.core;

import java.util.Objects;

/**
 * Where the admin is served, and whom it lets in.
 *
 * @param path below the context root: begins with a slash, and does not end with one
 * @param role who may look
 * @param commandRole who may give commands, and look; may be the same
 * @param confidential whether the server must ask for HTTPS
 */
public record AdminAccess(String path, String role, String commandRole, boolean confidential) {

    /** The path of the default. */
    public static final String DEFAULT_PATH = "/distributed-fallback";

    public AdminAccess {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(commandRole, "commandRole");
    }
}
