package io.distributedfallback.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import jakarta.persistence.EntityManager;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** The walls of the house. A rule is mended or moved with a decision record, and never ignored. */
@AnalyzeClasses(packages = "io.distributedfallback", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "io.distributedfallback";
    private static final String CORE = ROOT + ".core..";
    private static final int MOST_PARAMETERS = 6;

    @ArchTest
    static final ArchRule dependencies_run_from_the_wiring_to_the_api = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("api")
            .definedBy(ROOT)
            .layer("core")
            .definedBy(CORE)
            .layer("limit")
            .definedBy(ROOT + ".limit..")
            .layer("rest")
            .definedBy(ROOT + ".rest..")
            .layer("store")
            .definedBy(ROOT + ".store..")
            .layer("config")
            .definedBy(ROOT + ".config..")
            .layer("deferred")
            .definedBy(ROOT + ".deferred..")
            .layer("lastgood")
            .definedBy(ROOT + ".lastgood..")
            .layer("observe")
            .definedBy(ROOT + ".observe..")
            .layer("admin")
            .definedBy(ROOT + ".admin..")
            .layer("queue")
            .definedBy(ROOT + ".queue..")
            .layer("cdi")
            .definedBy(ROOT + ".cdi..")
            .ensureAllClassesAreContainedInArchitectureIgnoring(DescribedPredicate.describe(
                    "not ours", type -> !type.getPackageName().startsWith(ROOT)))
            .whereLayer("cdi")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("limit")
            .mayOnlyBeAccessedByLayers("store", "cdi")
            .whereLayer("rest")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("cdi")
            .whereLayer("config")
            .mayOnlyBeAccessedByLayers("cdi")
            .whereLayer("deferred")
            .mayOnlyBeAccessedByLayers("cdi")
            .whereLayer("lastgood")
            .mayOnlyBeAccessedByLayers("cdi")
            .whereLayer("observe")
            .mayOnlyBeAccessedByLayers("cdi")
            .whereLayer("admin")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("queue")
            .mayOnlyBeAccessedByLayers("store", "observe", "admin", "cdi")
            .whereLayer("core")
            .mayOnlyBeAccessedByLayers(
                    "limit", "queue", "store", "config", "deferred", "lastgood", "observe", "admin", "rest", "cdi");

    @ArchTest
    static final ArchRule packages_have_no_cycles =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule core_limit_and_queue_reach_no_framework = noClasses()
            .that()
            .resideInAnyPackage(CORE, ROOT + ".limit..", ROOT + ".queue..")
            .should()
            .transitivelyDependOnClassesThat()
            .resideInAnyPackage(
                    "jakarta..",
                    "org.eclipse.microprofile..",
                    "io.opentelemetry..",
                    "javax.sql..",
                    "javax.naming..",
                    "java.sql..");

    @ArchTest
    static final ArchRule persistence_and_transactions_are_the_stores = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".store..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.persistence..", "jakarta.transaction..", "java.sql..");

    @ArchTest
    static final ArchRule nobody_needs_to_see_the_driver =
            noClasses().should().dependOnClassesThat().resideInAnyPackage("org.postgresql..");

    @ArchTest
    static final ArchRule microprofile_config_is_the_configs = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".config..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.eclipse.microprofile.config..");

    @ArchTest
    static final ArchRule metrics_spans_and_health_are_the_observers = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".observe..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.eclipse.microprofile.metrics..", "org.eclipse.microprofile.health..", "io.opentelemetry..");

    @ArchTest
    static final ArchRule optional_apis_have_files_of_their_own = noClasses()
            .that()
            .haveNameNotMatching(".*\\.observe\\.(MicroProfileMetrics|OpenTelemetry\\w+|BreakerHealth)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.eclipse.microprofile.metrics..", "org.eclipse.microprofile.health..", "io.opentelemetry..");

    @ArchTest
    static final ArchRule one_class_needs_caffeine = noClasses()
            .that()
            .haveNameNotMatching(".*\\.lastgood\\.BoundedResults(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("com.github.benmanes..");

    @ArchTest
    static final ArchRule json_binding_has_a_file_of_its_own = noClasses()
            .that()
            .haveNameNotMatching(".*\\.cdi\\.JsonArguments(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.json..");

    @ArchTest
    static final ArchRule managed_executors_are_the_deferreds = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".deferred..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("jakarta.enterprise.concurrent..");

    @ArchTest
    static final ArchRule servlets_are_the_admins = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".admin..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.servlet..");

    @ArchTest
    static final ArchRule jakarta_rest_is_the_mappers = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".rest..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta.ws.rs..");

    @ArchTest
    static final ArchRule limits_need_no_framework = noClasses()
            .that()
            .resideInAPackage(ROOT + ".limit..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jakarta..", "org.eclipse.microprofile..", "java.sql..", "javax..");

    @ArchTest
    static final ArchRule nobody_makes_threads = noClasses()
            .should()
            .callConstructorWhere(target(owner(assignableTo(Thread.class))))
            .orShould()
            .callMethodWhere(target(owner(type(java.util.concurrent.Executors.class))))
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(java.util.Timer.class, java.util.concurrent.ForkJoinPool.class);

    @ArchTest
    static final ArchRule writes_are_native_statements = noClasses()
            .should()
            .callMethodWhere(
                    target(owner(assignableTo(EntityManager.class))).and(target(nameMatching("persist|merge|remove"))));

    @ArchTest
    static final ArchRule no_wall_clock_decides_anything = noClasses()
            .should()
            .accessTargetWhere(DescribedPredicate.describe("reads the instance's clock", ArchitectureTest::readsClock));

    /** A log writes the message of an exception as it is, line breaks and secrets included. */
    @ArchTest
    static final ArchRule stack_traces_are_retold_before_they_are_logged = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROOT + ".core.Retold")
            .should()
            .callMethod(System.Logger.class, "log", System.Logger.Level.class, String.class, Throwable.class);

    /** What is bound cannot become a part of a statement. */
    @ArchTest
    static final ArchRule statements_are_asked_for_in_few_places = noClasses()
            .that()
            .haveNameNotMatching(
                    ".*\\.store\\.(BreakerDatabase|CallConnections|ListeningConnection|NotifyFeed|Schema|Transactions)(\\$.*)?")
            .should()
            .callMethodWhere(
                    target(nameMatching("createNativeQuery|createQuery|prepareStatement|createStatement|prepareCall")));

    @ArchTest
    static final ArchRule nobody_prints =
            noClasses().should().accessField(System.class, "out").orShould().accessField(System.class, "err");

    @ArchTest
    static final ArchRule names_are_nouns_of_the_domain =
            noClasses().should().haveNameMatching(".*(Impl|Manager|Helper|Utils?|Processor|Wrapper)");

    @ArchTest
    static final ArchRule constructors_stay_small =
            classes().that().areNotRecords().should(haveSmallConstructors());

    private static boolean readsClock(JavaAccess<?> access) {
        if (!(access.getTarget() instanceof CodeUnitAccessTarget target)) {
            return false;
        }
        boolean noArguments = target.getRawParameterTypes().isEmpty();
        String name = target.getOwner().getName() + "." + target.getName();
        return switch (name) {
            case "java.lang.System.currentTimeMillis", "java.util.Calendar.getInstance" -> true;
            // The one place where monotonic time comes from is a method reference.
            case "java.lang.System.nanoTime" -> access instanceof JavaMethodCall;
            case "java.util.Date.<init>", "java.util.GregorianCalendar.<init>" -> noArguments;
            default -> noArguments && name.matches("java\\.time\\.\\w+\\.now");
        };
    }

    private static ArchCondition<JavaClass> haveSmallConstructors() {
        return new ArchCondition<>("have constructors with at most " + MOST_PARAMETERS + " parameters") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaConstructor constructor : type.getConstructors()) {
                    int parameters = constructor.getRawParameterTypes().size();
                    if (parameters > MOST_PARAMETERS && !type.isEnum()) {
                        events.add(SimpleConditionEvent.violated(
                                constructor, constructor.getFullName() + " has " + parameters));
                    }
                }
            }
        };
    }
}
