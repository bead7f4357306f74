package io.distributedfallback.core;

/**
 * The catalogue of messages. Codes never change their meaning: 1xx definitions, 2xx configuration (both fail the
 * deployment, all in one message), 3xx the store (the application runs on, see {@code GuardedStore}), 4xx providers
 * and probes, 5xx the extension's surroundings.
 */
public enum ProblemCode {
    /** More than one way to fall back on one method. */
    DFB101("more than one of fallbackMethod, value and backup is given"),
    /** No method of that name with fitting parameters. */
    DFB102("the fallback method does not fit"),
    /** The handler's type is not the method's. */
    DFB103("the fallback handler does not fit"),
    /** Something that no interceptor can reach. */
    DFB104("the guarded method cannot be intercepted"),
    /** {@code @Fallback} of MicroProfile on a guarded method. */
    DFB105("MicroProfile's @Fallback on the same method would swallow the failures"),
    /** A probe with parameters or another return type. */
    DFB106("the probe method does not fit"),
    /** A probe that no guarded method needs. */
    DFB107("a probe for a breaker that nobody uses"),
    /** Two probes for one breaker. */
    DFB108("two probes for one breaker"),
    /** Two {@code @BreakerPolicy} for one breaker. */
    DFB109("two policies for one breaker"),
    /** Empty, too long, control characters. */
    DFB110("the breaker's name is not usable"),
    /** No bean and no class that can be made, or several beans. */
    DFB111("the fallback handler cannot be had"),
    /** None, or several, or one that cannot be called. */
    DFB112("the backup is not one bean that can be called"),
    /** A bean that backs itself, at once or by way of others. */
    DFB113("the backup leads back to the guarded method"),
    /** No type that both have declares it. */
    DFB114("the backup does not have the guarded method"),
    /** The annotation on a class, and a backup with fewer methods; a warning. */
    DFB115("methods that the backup does not have are not guarded"),
    /** An annotation where no interceptor is looked for; a warning. */
    DFB116("the annotation has no effect here"),
    /** An EJB's transaction is begun outside of all interceptors; a warning. */
    DFB117("the fallback runs inside the transaction of the enterprise bean"),
    /** Two parameters, or one that has no text of its own. */
    DFB118("the breaker's key is not one parameter"),
    /** {@code @BreakerKey} where there is no breaker. */
    DFB119("a breaker's key on a method that is not guarded"),
    /** A probe that takes a key that no call has. */
    DFB120("the probe takes a key, and the breaker has none"),
    /** Caffeine is not on the class path. */
    DFB121("the library that keeps last good results is missing"),
    /** {@code void}, or a stage of {@code Void}. */
    DFB122("a method that returns nothing has no last good result"),
    /** {@code @LastGood} without a guard, or {@code @CacheKey} without either. */
    DFB123("no results are kept here"),
    /** A stream, a reader, a response. */
    DFB124("the result serves one caller only"),
    /** {@code @FallbackLimit} where there is no breaker. */
    DFB125("a fallback limit on a method that is not guarded"),
    /** Neither fallback method nor handler nor backup. */
    DFB126("there is no fallback to limit"),
    /** Two limits of one name. */
    DFB127("one fallback limit has different settings"),
    /** Empty, too long, control characters. */
    DFB128("the fallback limit's name is not usable"),
    /** InputStream, Object, interfaces, what JSON-B leaves out. */
    DFB129("a parameter of a queued method cannot be stored"),
    /** A queue lives in the database. */
    DFB130("calls can be stored only where the breakers are in the database"),
    /** {@code @QueueWhenOpen} beside a fallback, {@code @LastGood} or {@code @FallbackLimit}. */
    DFB131("a queued method has another way to answer as well"),
    /** Neither {@code void} nor {@code CompletionStage<Void>}. */
    DFB132("a queued method returns something"),
    /** No JSON-B. */
    DFB133("the server cannot write arguments as JSON"),
    /** No bean, not guarded. */
    DFB134("calls of this method cannot be queued"),
    /** One of several backups, not the last, that no annotation guards on that method. */
    DFB135("a backup before the last is not guarded"),
    /** Two of them, or one and the guarded method. */
    DFB136("providers of one chain share a breaker"),
    /** A fallback or a rung of one that is not the last. */
    DFB137("a backup before the last has a fallback of its own"),
    /** The annotation on a class, and one of several backups with fewer methods; a warning. */
    DFB138("a backup of a chain does not have the method and is passed over"),

    /** A value that cannot be read or is out of range. */
    DFB201("a value that is not usable"),
    /** A key that nothing reads. */
    DFB202("an unknown key"),
    /** Values that are usable alone but not together. */
    DFB203("values that do not fit together"),
    /** A policy in the configuration for a breaker that no annotation names; a warning. */
    DFB204("a policy for a breaker that no annotation names"),
    /** {@code push=on} where there is nothing to listen to; a warning. */
    DFB207("push has no effect here"),
    /** {@code health=down-when-open} with {@code recovery=trial}; a warning. */
    DFB208("readiness follows a breaker that only calls can close"),
    /** The admin is switched on, and nothing says for whom. */
    DFB210("the admin has no role"),
    /** A wait that is too long, a burst that is too small for blocks. */
    DFB213("the settings of a fallback limit do not fit"),
    /** {@code maxBackoff} is shorter than {@code backoff}. */
    DFB214("the pauses of a queue do not fit together"),

    /** No data source under the JNDI name. */
    DFB301("the data source was not found"),
    /** The database does not answer. */
    DFB302("the database does not answer"),
    /** No table, or not the table expected. */
    DFB303("the tables are missing or do not fit"),
    /** The database refuses the role, or the role lacks a right. */
    DFB304("the database refuses the role"),
    /** Longer than the time-out. */
    DFB305("the database did not answer in time"),
    /** Any other error of the database. */
    DFB306("the database reported an error"),
    /** No usable Jakarta Persistence provider. */
    DFB307("no Jakarta Persistence provider was found"),
    /** The store answers again; information. */
    DFB308("the database answers again"),
    /** An operator's command that is not known to have been carried out. */
    DFB309("the command failed"),
    /** PgBouncer in transaction mode, no driver to be seen, no second connection. */
    DFB313("changes of other instances cannot be heard of at once here"),
    /** After {@code DFB313} or {@code DFB315}; information. */
    DFB314("changes of other instances are heard of at once again"),
    /** The connection that listens broke, or cannot be had. */
    DFB315("changes of other instances are not heard of at once for the time being"),
    /** The instance goes on with its share; a warning. */
    DFB316("the database hands out no permits of a fallback limit"),
    /** After {@code DFB316}; information. */
    DFB317("the database hands out permits of a fallback limit again"),
    /** JSON-B cannot write it. The caller gets the failure that the call was to be stored for, with this suppressed. */
    DFB318("the call could not be stored"),
    /** The reason why a stored call is dead. */
    DFB319("the arguments of a stored call cannot be read"),
    /** Longer than {@code queue.max-argument-size}. */
    DFB320("the arguments of the call are too large to be stored"),

    /** 401, 403, 407. */
    DFB401("the provider refuses us"),
    /** A probe learnt nothing. */
    DFB402("a probe was inconclusive"),
    /** A breaker without a probe. */
    DFB403("no probe is declared, so one visitor's call at a time is the test"),
    /** A breaker opened; a warning. */
    DFB404("the breaker opened"),
    /** A breaker closed; information. */
    DFB405("the breaker closed"),
    /** An application's classifier threw. */
    DFB406("a failure classifier failed"),
    /** Two deployments, or two configurations, for one breaker; a warning. */
    DFB407("instances count failures against different thresholds"),
    /** More values of a {@code @BreakerKey} than {@code max-keys}; a warning. */
    DFB408("more keys than the breaker has room for"),
    /** Told when it begins and when it ends. */
    DFB409("this instance alone keeps away from a provider"),
    /** Forced open, or closed; a warning. */
    DFB410("an operator forced the breaker"),
    /** Cleared, or reset; information. */
    DFB411("an operator gave the breaker free"),
    /** Names of breakers made from data; a warning. */
    DFB413("more breakers than metrics have room for"),
    /** The admin did not carry out what somebody asked for who is logged in; a warning. */
    DFB414("the admin refused a command"),
    /** The application's own observer threw; a warning. */
    DFB416("an observer of an event failed"),
    /** Callers get an exception with the time to retry; a warning. */
    DFB417("a fallback limit keeps calls from the fallback"),
    /** A 429 of the fallback, or failures in a row; a warning. */
    DFB418("the fallback is in trouble itself and is left alone for a while"),
    /** Its attempts are used up, it is too old, or no attempt would do better; a warning. */
    DFB419("a stored call is given up"),
    /** Stored by another version of the application; a warning. */
    DFB420("calls wait for a method that the application does not have"),
    /** Retried or discarded; information. */
    DFB421("an operator decided on stored calls"),
    /** The lease ended while it was made; a warning. */
    DFB422("a stored call was made, and was no longer this instance's"),
    /** It has closed, and gets its traffic back bit by bit; information. */
    DFB423("the breaker ramps up"),
    /** Arguments whose equals or hashCode throws; a warning. */
    DFB424("arguments cannot be told from others"),
    /** Its calls and the store fail for the same reason at the same time; a warning. */
    DFB425("the breaker guards the database that holds its state"),

    /** The managed executor is missing or rejects. */
    DFB501("no managed thread can be had"),
    /** An API that the annotations need is not on the server; fails the deployment. */
    DFB502("the server lacks an API"),
    /** It is there, and does not do what is asked of it; a warning. */
    DFB503("metrics, spans or health cannot be shown"),
    /** The server, or something else in the application, is in the way. */
    DFB506("the admin cannot be served"),
    /** What the application's web.xml says of the same path is in force then; the admin still asks for its role. */
    DFB507("the application has security constraints of its own for the admin's path"),
    /** No CDI in the web application, or not started. */
    DFB508("the admin does not find the breakers"),
    /** The admin is switched on, and the server has not asked its initializer in; a warning. */
    DFB509("the admin is switched on and no web application lets it in");

    private final String summary;

    ProblemCode(String summary) {
        this.summary = summary;
    }

    /** What is wrong, in a few words. */
    public String summary() {
        return summary;
    }
}
