package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;

/**
 * An answer over gRPC, and what its status says.
 *
 * <ol>
 *   <li>{@code RESOURCE_EXHAUSTED}: throttled, with the pause that the trailer {@value #PUSHBACK} names, if any.
 *   <li>{@code UNAVAILABLE} with such a pause: throttled, as 503 with {@code Retry-After} is; without one, an outage.
 *   <li>{@code UNAUTHENTICATED}, {@code PERMISSION_DENIED}: misconfigured. {@code UNIMPLEMENTED} as well: the service is
 *       not at that address, or not in that version. To open would help nobody, and somebody has to know.
 *   <li>{@code INVALID_ARGUMENT}, {@code NOT_FOUND}, {@code ALREADY_EXISTS}, {@code FAILED_PRECONDITION}, {@code
 *       OUT_OF_RANGE}: the caller's error.
 *   <li>{@code CANCELLED}: our own end of the call.
 *   <li>{@code OK} as an exception: local, as 2xx is.
 *   <li>All else, codes that are not known included: an outage.
 * </ol>
 *
 * @param code the name of the status code
 * @param pause how long the server asks to be left alone, if it does; zero if it asks to be tried at once
 */
record GrpcAnswer(String code, Optional<Duration> pause) {

    private static final String PUSHBACK = "grpc-retry-pushback-ms";
    private static final String RUNTIME = "io.grpc.StatusRuntimeException";
    private static final String CHECKED = "io.grpc.StatusException";
    private static final NamedMethod STATUS_OF_RUNTIME = new NamedMethod(RUNTIME, "getStatus");
    private static final NamedMethod STATUS_OF_CHECKED = new NamedMethod(CHECKED, "getStatus");
    private static final NamedMethod TRAILERS_OF_RUNTIME = new NamedMethod(RUNTIME, "getTrailers");
    private static final NamedMethod TRAILERS_OF_CHECKED = new NamedMethod(CHECKED, "getTrailers");
    private static final NamedMethod CODE = new NamedMethod("io.grpc.Status", "getCode");

    /** Reads the trailer out of an {@code io.grpc.Metadata}; a type of the JDK, see {@link ClassNames}. */
    private static final ClassValue<Optional<MethodHandle>> TRAILER = new ClassValue<>() {
        @Override
        protected Optional<MethodHandle> computeValue(Class<?> metadata) {
            try {
                ClassLoader loader = metadata.getClassLoader();
                Class<?> keyType = Class.forName("io.grpc.Metadata$Key", true, loader);
                Class<?> marshaller = Class.forName("io.grpc.Metadata$AsciiMarshaller", true, loader);
                Object key = keyType.getMethod("of", String.class, marshaller)
                        .invoke(
                                null,
                                PUSHBACK,
                                metadata.getField("ASCII_STRING_MARSHALLER").get(null));
                Method get = metadata.getMethod("get", keyType);
                MethodHandle reader = MethodHandles.publicLookup().unreflect(get);
                return Optional.of(MethodHandles.insertArguments(reader, 1, key));
            } catch (ReflectiveOperationException | LinkageError e) {
                return Optional.empty();
            }
        }
    };

    /** The answer that an {@code io.grpc.StatusRuntimeException} or {@code io.grpc.StatusException} carries. */
    static Optional<GrpcAnswer> in(Throwable failure) {
        return STATUS_OF_RUNTIME
                .call(failure)
                .or(() -> STATUS_OF_CHECKED.call(failure))
                .flatMap(CODE::call)
                .map(code -> new GrpcAnswer(((Enum<?>) code).name(), pause(failure)));
    }

    private static Optional<Duration> pause(Throwable failure) {
        return TRAILERS_OF_RUNTIME
                .call(failure)
                .or(() -> TRAILERS_OF_CHECKED.call(failure))
                .flatMap(GrpcAnswer::pushback)
                .flatMap(GrpcAnswer::millis);
    }

    private static Optional<String> pushback(Object trailers) {
        return TRAILER.get(trailers.getClass()).flatMap(reader -> {
            try {
                return Optional.ofNullable((String) reader.invoke(trailers));
            } catch (Throwable e) {
                return Optional.empty();
            }
        });
    }

    /** A negative number, or none at all, is the server's word against a retry, and names no time. */
    private static Optional<Duration> millis(String text) {
        return text.matches("[0-9]{1,10}") ? Optional.of(Duration.ofMillis(Long.parseLong(text))) : Optional.empty();
    }

    /** What the answer says about the provider. */
    Classification classification() {
        return switch (code) {
            case "RESOURCE_EXHAUSTED" -> new Classification(FailureKind.THROTTLED, pause.map(RetryAfter.In::new));
            case "UNAVAILABLE" ->
                pause.filter(time -> !time.isZero())
                        .map(time -> Classification.throttled(new RetryAfter.In(time)))
                        .orElse(Classification.of(FailureKind.OUTAGE));
            case "UNAUTHENTICATED", "PERMISSION_DENIED", "UNIMPLEMENTED" ->
                Classification.of(FailureKind.MISCONFIGURED);
            case "INVALID_ARGUMENT", "NOT_FOUND", "ALREADY_EXISTS", "FAILED_PRECONDITION", "OUT_OF_RANGE" ->
                Classification.of(FailureKind.CALLER_ERROR);
            case "CANCELLED" -> Classification.of(FailureKind.CANCELLED);
            case "OK" -> Classification.of(FailureKind.LOCAL);
            default -> Classification.of(FailureKind.OUTAGE);
        };
    }
}
