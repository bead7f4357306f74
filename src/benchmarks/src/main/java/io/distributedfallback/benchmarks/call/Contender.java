package io.distributedfallback.benchmarks.call;

/** Who takes part. */
public enum Contender {
    /** Nobody stands between. */
    PLAIN,
    /** The proxy of a normal scope. */
    PROXY,
    /** The same and one interceptor that does nothing: what any interceptor costs, whatever it is for. */
    NO_OP,
    /** The same, and one look at the clock: what a check by hand costs. */
    AGE_CHECK,
    /** The same as {@link #NO_OP}, and the fallback itself in the place of the primary. */
    NO_OP_AND_FALLBACK,
    /** Ours, by annotation. */
    ANNOTATION,
    /** Ours, without an annotation. */
    PROGRAMMATIC,
    /** Ours, the engine alone. */
    ENGINE,
    /** The same, and somebody who counts the calls. */
    ENGINE_COUNTED,
    /** SmallRye Fault Tolerance, by annotation. */
    SMALLRYE,
    /** SmallRye Fault Tolerance, without CDI. */
    TYPED_GUARD,
    /** Without CDI. */
    RESILIENCE4J,
    /** Without CDI. */
    FAILSAFE;

    Subject start() {
        return switch (this) {
            case PLAIN -> new Beans.Unguarded()::ask;
            case PROXY -> Container.with(Beans.Unguarded.class).subject(Beans.Unguarded.class, Beans.Unguarded::ask);
            case NO_OP ->
                Container.with(Beans.PassedThrough.class, PassThroughInterceptor.class)
                        .subject(Beans.PassedThrough.class, Beans.PassedThrough::ask);
            case AGE_CHECK ->
                Container.with(Beans.PassedThrough.class, AgeCheckInterceptor.class)
                        .subject(Beans.PassedThrough.class, Beans.PassedThrough::ask);
            case NO_OP_AND_FALLBACK ->
                Container.with(Beans.Replaced.class, PassThroughInterceptor.class)
                        .subject(Beans.Replaced.class, Beans.Replaced::ask);
            case ANNOTATION -> Container.ofOurs(Beans.Guarded.class).subject(Beans.Guarded.class, Beans.Guarded::ask);
            case PROGRAMMATIC -> new Programmatic();
            case ENGINE -> Engine.unseen();
            case ENGINE_COUNTED -> Engine.counted();
            case SMALLRYE ->
                Container.ofSmallRye(Beans.FaultTolerant.class)
                        .subject(Beans.FaultTolerant.class, Beans.FaultTolerant::ask);
            case TYPED_GUARD -> Peers.typedGuard();
            case RESILIENCE4J -> Peers.resilience4j();
            case FAILSAFE -> Peers.failsafe();
        };
    }
}
