package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.FailureClassifier;
import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.Declarations.ProbeSite;
import io.distributedfallback.cdi.GuardDefinitions.Guard;
import io.distributedfallback.config.Configuration;
import io.distributedfallback.config.DeclaredBreakers;
import io.distributedfallback.config.Findings;
import io.distributedfallback.config.Policies;
import io.distributedfallback.config.PushMode;
import io.distributedfallback.config.QueueSettings;
import io.distributedfallback.config.Settings;
import io.distributedfallback.config.StoreKind;
import io.distributedfallback.core.AdminEntrance;
import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.ProbeCall;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.deferred.ManagedBackground;
import io.distributedfallback.limit.FallbackLimits;
import io.distributedfallback.observe.Audience;
import io.distributedfallback.observe.Observation;
import io.distributedfallback.queue.CallQueues;
import io.distributedfallback.queue.QueueRoom;
import io.distributedfallback.store.JpaBreakerStore;
import io.distributedfallback.store.JpaStoreSettings;
import io.distributedfallback.store.NotifyFeed;
import jakarta.enterprise.inject.spi.BeanManager;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Checks a whole deployment, and puts its parts together if nothing is wrong. */
final class Deployment {

    private final Declarations declarations;
    private final BeanManager beans;
    private final RequestNotes notes;
    private final Configuration configuration;
    private final Set<Problem> errors = new LinkedHashSet<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final Settings settings;
    private final LimitDefinitions limits;
    private final List<Guard> guards;
    private final AlertRules alertRules;
    private final QueueSettings queueSettings;
    private final boolean withAdmin;
    private final DeclaredBreakers declared;
    private final Map<String, ProbeCall> probes;
    private final Map<String, Policy> checked;

    Deployment(Declarations declarations, BeanManager beans, RequestNotes notes) {
        this.declarations = declarations;
        this.beans = beans;
        this.notes = notes;
        this.configuration = Configuration.of(Thread.currentThread().getContextClassLoader());
        this.settings = configuration.settings(errors::add);
        this.limits = new LimitDefinitions(configuration, settings.identity().prefix());
        this.guards = guardDefinitions(errors::add, warnings::add).define(declarations.guards(), List.of());
        limits.checkPlaces(declarations.limitsAlone(), guards, errors::add);
        this.alertRules = configuration.alerts(errors::add);
        this.queueSettings = configuration.queue(errors::add);
        this.withAdmin = configuration.admin(errors::add).isPresent();
        notes.begin(beans, configuration.degradedHeader(errors::add));
        this.declared = declared();
        ProbeDefinitions probeDefinitions = new ProbeDefinitions(beans, errors::add);
        this.probes = probeDefinitions.define(declarations.probes(), used());
        probeDefinitions.checkKeys(declarations.probes(), keyless());
        KeyDefinitions keys = keyDefinitions(errors::add, warnings::add);
        keys.check(guards);
        QueueDefinitions.checkUnguarded(declarations.unguardedQueues(), errors::add);
        keys.checkUnguarded(declarations.unguardedKeys(), guards);
        new LastGoodDefinitions(configuration, errors::add, warnings::add)
                .checkUnguarded(declarations.unguardedBeside(), guards);
        Findings findings = configuration.check(declared);
        this.checked = findings.policies();
        errors.addAll(findings.errors());
        warnings.addAll(findings.warnings());
    }

    private GuardDefinitions guardDefinitions(Consumer<Problem> problems, Consumer<Problem> idle) {
        return new GuardDefinitions(configuration, beans, limits, problems, idle);
    }

    private KeyDefinitions keyDefinitions(Consumer<Problem> problems, Consumer<Problem> idle) {
        return new KeyDefinitions(settings.identity().prefix(), problems, idle);
    }

    private Set<String> keyless() {
        Set<String> keyless = new TreeSet<>(declared.guarding());
        keyless.removeAll(KeyDefinitions.keyed(guards));
        return keyless;
    }

    /** Everything that must fail the deployment. */
    List<Problem> errors() {
        return List.copyOf(errors);
    }

    /** What is only worth a line in the log. */
    List<Problem> warnings() {
        return warnings;
    }

    int guardedMethods() {
        return guards.size();
    }

    private DeclaredBreakers declared() {
        Set<String> guarding = new HashSet<>();
        for (Guard guard : guards) {
            guarding.add(guard.definition().breaker());
        }
        Set<String> probed = new HashSet<>();
        for (ProbeSite probe : declarations.probes()) {
            probed.add(probe.breaker());
        }
        return new DeclaredBreakers(guarding, probed, declarations.policies());
    }

    private Set<String> used() {
        Set<String> used = new TreeSet<>(declared.guarding());
        declared.policies().forEach(policy -> used.add(policy.policy().breaker()));
        return used;
    }

    /** What is needed to make a call, and only then, is put together later: a start shall not wait for it. */
    GuardedApplication start() {
        MonotonicClock clock = System::nanoTime;
        ManagedBackground background = new ManagedBackground(settings.executor(), beans);
        background.lookUp();
        warnings.addAll(TrialWarnings.of(used(), checked));
        return new GuardedApplication(
                background,
                () -> engine(clock, background),
                settings.store().readAtStart(),
                new AdminNotice(background, withAdmin, AdminEntrance::isOpen));
    }

    private RunningEngine engine(MonotonicClock clock, ManagedBackground background) {
        Observation observation = Observation.of(beans, settings.withMetrics());
        String instance = settings.identity().instance();
        Audience audience = Audience.of(observation, beans, background, clock, alertRules, instance);
        BreakerListener listener = audience.listener();
        Policies policies = configuration.policies(declared, checked, clock, listener::misread);
        List<FailureClassifier> classifiers = ClassifierBeans.inOrder(beans);
        Optional<JpaBreakerStore> shared = settings.store().kind() == StoreKind.JPA
                ? Optional.of(new JpaBreakerStore(storeSettings()))
                : Optional.empty();
        Surroundings surroundings = new Surroundings(
                observation.carrying(background),
                clock,
                listener,
                settings.timings(),
                audience.instruments().noting(notes));
        CircuitBreakers breakers = new CircuitBreakers(
                shared.map(store -> observation.measured(store, clock)),
                new MemoryBreakerStore(clock, Clock.systemUTC().instant(), instance),
                surroundings,
                new Application(policies::policyOf, probes, classifiers, BreakerOpenException::new));
        if (shared.isPresent() && settings.store().push() != PushMode.OFF) {
            breakers.listenTo(
                    new NotifyFeed(storeSettings(), background, clock),
                    settings.store().push() == PushMode.ON);
        }
        observation.read(breakers.readings());
        Optional<QueueAssembly> assembly = shared.map(this::queueAssembly);
        Optional<CallQueues> queues = assembly.map(parts -> parts.queues(breakers, surroundings));
        FallbackLimits limits =
                new FallbackLimits(surroundings, shared.map(JpaBreakerStore::permits), Clock.systemUTC());
        GuardedBeans guarded = new GuardedMethods(
                        breakers, new RungParts(surroundings, beans, classifiers, policies::policyOf, limits, queues))
                .of(guards, this::defineLate);
        ControlRoom room = breakers.controlRoom(settings.identity().instance(), used());
        queues.filter(waiting -> !waiting.names().isEmpty()).ifPresent(waiting -> room.watch(waiting::changed));
        QueueRoom queueRoom =
                assembly.map(parts -> parts.room(queues, listener)).orElseGet(QueueRoom::empty);
        return new RunningEngine(breakers, guarded, room, shared, queues, queueRoom, observation);
    }

    private QueueAssembly queueAssembly(JpaBreakerStore store) {
        return new QueueAssembly(
                store,
                storeSettings(),
                storeSettings(queueSettings.datasource().orElse(settings.datasource())),
                queueSettings.lease());
    }

    private JpaStoreSettings storeSettings() {
        return storeSettings(settings.datasource());
    }

    private JpaStoreSettings storeSettings(String datasource) {
        Duration limit =
                settings.timings().writeTimeout().compareTo(settings.timings().readTimeout()) > 0
                        ? settings.timings().writeTimeout()
                        : settings.timings().readTimeout();
        return new JpaStoreSettings(
                new JndiDataSource(datasource),
                datasource,
                settings.store().schema(),
                settings.identity().prefix(),
                settings.identity().instance(),
                limit);
    }

    /** Beans that come into being while the application runs may have guarded methods too. */
    private List<Guard> defineLate(GuardSite site, Consumer<Problem> problems) {
        List<Guard> defined = guardDefinitions(problems, Problems::warn).define(List.of(site), guards);
        keyDefinitions(problems, Problems::warn).check(defined);
        return defined;
    }
}
