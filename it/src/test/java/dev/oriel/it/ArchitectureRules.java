package dev.oriel.it;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import dagger.Component;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * The laws of the hexagon. Each is a function of the root package, so the tests can also apply it
 * to the examples that break it.
 *
 * <p>A rule about a module accepts an empty module; the test checks that the classes of every
 * module were read.
 */
final class ArchitectureRules {
  private static final String[] ADAPTERS = {"sim", "cuda", "ibverbs"};
  private static final String[] CORE = {"domain", "ports", "bootstrap"};
  private static final String[] LIBRARIES = concat(CORE, ADAPTERS);

  private static final String MACHINE = ".sim.machine";

  /** Packages that only the machine uses, and that are public only for it. */
  private static final String[] INNER = {
    "rows",
    "provenance",
    "layout",
    "state",
    "clocks",
    "report",
    "fault",
    "words",
    "race",
    "memory",
    "nic",
    "lane",
    "caller",
    "deadlock",
    "launch",
    "symmetry",
    "agent",
    "memo",
    "rankcode"
  };

  /** Packages of one module, bottom first: each may use those before it and none after it. */
  private static final List<List<String>> STAIRS =
      List.of(
          List.of(
              "domain.packet", "domain.program", "domain.program.check", "domain.program.parse"),
          List.of("domain.program", "domain.program.check", "domain.program.build"),
          List.of("bootstrap", "bootstrap.launch"),
          List.of(
              "sim.machine.fingerprint",
              "sim.machine.rows",
              "sim.machine.finding",
              "sim.machine.settings",
              "sim.machine.provenance",
              "sim.machine.layout",
              "sim.machine.step",
              "sim.machine.driver",
              "sim.machine.state",
              "sim.machine.clocks",
              "sim.machine.report",
              "sim.machine.fault",
              "sim.machine.words",
              "sim.machine.race",
              "sim.machine.memory",
              "sim.machine.nic",
              "sim.machine.lane",
              "sim.machine.caller",
              "sim.machine.deadlock",
              "sim.machine.launch",
              "sim.machine.symmetry",
              "sim.machine.agent",
              "sim.machine.memo",
              "sim.machine.rankcode",
              "sim.machine"));

  private ArchitectureRules() {}

  /** A class outside every known package would escape the other rules. */
  static ArchRule everyClassBelongsToAModule(String root) {
    return classes()
        .that()
        .doNotHaveSimpleName("package-info")
        .should()
        .resideInAnyPackage(under(root, concat(LIBRARIES, "it")));
  }

  /** The next rule names the parts of these packages that the domain must not use. */
  static ArchRule domainDependsOnPlainJavaAlone(String root) {
    DescribedPredicate<JavaClass> plain =
        resideInAnyPackage(
            root + ".domain..",
            "java.lang",
            "java.lang.annotation",
            "java.math",
            "java.nio",
            "java.nio.charset",
            "java.security",
            "java.util",
            "java.util.function",
            "java.util.regex",
            "java.util.stream");
    return classesIn(root, "domain")
        .should(
            onlyDependOnClassesThat(
                DescribedPredicate.describe(
                    plain.getDescription(), c -> plain.test(c.getBaseComponentType()))))
        .allowEmptyShould(true);
  }

  static ArchRule domainTouchesNoSurroundings(String root) {
    return Stream.of(
            Touch.CLOCK,
            Touch.RANDOM,
            Touch.THREAD,
            Touch.FILE_OR_NETWORK,
            Touch.PROCESS,
            Touch.REFLECTION,
            Touch.NATIVE)
        .map(touch -> none(touch, root, "domain"))
        .reduce(ArchitectureRules::both)
        .orElseThrow();
  }

  /** The rendezvous of ranks, in {@code bootstrap}, is the one part of ports that does I/O. */
  static ArchRule portsTouchNoSurroundings(String root) {
    return Stream.of(Touch.CLOCK, Touch.THREAD, Touch.FILE_OR_NETWORK, Touch.PROCESS)
        .map(touch -> none(touch, root, "ports"))
        .reduce(ArchitectureRules::both)
        .orElseThrow();
  }

  static ArchRule coreSeesNoAdapter(String root) {
    return noClassesIn(root, CORE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(under(root, ADAPTERS))
        .allowEmptyShould(true);
  }

  static ArchRule domainSeesNoPort(String root) {
    return noClassesIn(root, "domain")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(under(root, "ports", "bootstrap"))
        .allowEmptyShould(true);
  }

  static ArchRule adaptersDoNotSeeOneAnother(String root) {
    return Arrays.stream(ADAPTERS)
        .map(adapter -> seesNone(root, adapter, others(adapter)))
        .reduce(ArchitectureRules::both)
        .orElseThrow();
  }

  static ArchRule librariesDoNotSeeTheCommand(String root) {
    return noClassesIn(root, LIBRARIES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(under(root, "it"))
        .allowEmptyShould(true);
  }

  /** Native code is only in {@code cuda.driver}, {@code ibverbs.verbs} and {@code ibverbs.ucx}. */
  static ArchRule onlyTwoPackagesGoNative(String root) {
    return noClassesIn(root, concat(LIBRARIES, "it"))
        .and()
        .resideOutsideOfPackages(
            root + ".cuda.driver", root + ".ibverbs.verbs", root + ".ibverbs.ucx")
        .should(Touch.NATIVE)
        .allowEmptyShould(true);
  }

  /** A library offers modules; the application that embeds it writes the component. */
  static ArchRule librariesHoldNoComponent(String root) {
    return noClassesIn(root, LIBRARIES)
        .should()
        .beAnnotatedWith(Component.class)
        .allowEmptyShould(true);
  }

  /** The embedding application passes the executor. */
  static ArchRule librariesCreateNoThread(String root) {
    return none(Touch.THREAD_CREATION, root, LIBRARIES);
  }

  /** Each package is a slice of its own, within a module and across them. */
  static ArchRule packagesAreFreeOfCycles(String root) {
    return slices().matching(root + ".(**)").should().beFreeOfCycles();
  }

  /** Packages that others must not use, as when the machine was one package. */
  static ArchRule innerRoomsAreTheMachinesOwn(String root) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(root + MACHINE + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(under(root + MACHINE, INNER))
        .allowEmptyShould(true);
  }

  /**
   * Fields of inner packages are public so that steps read them without a call, but only for
   * reading.
   */
  static ArchRule innerRoomsAloneSetTheirFields(String root) {
    DescribedPredicate<JavaClass> inner = resideInAnyPackage(under(root + MACHINE, INNER));
    return noClasses()
        .should()
        .setFieldWhere(
            DescribedPredicate.describe(
                "the field is of another room",
                access ->
                    inner.test(access.getTargetOwner())
                        && !access
                            .getTargetOwner()
                            .getPackageName()
                            .equals(access.getOriginOwner().getPackageName())))
        .allowEmptyShould(true);
  }

  /** Without cycles a package could still use one above it that does not use it. */
  static ArchRule roomsSeeNoneAbove(String root) {
    return STAIRS.stream()
        .flatMap(stairs ->
            IntStream.range(1, stairs.size())
                .mapToObj(above -> lowerOnesDoNotSee(root, stairs, above)))
        .reduce(ArchitectureRules::both)
        .orElseThrow();
  }

  private static ArchRule lowerOnesDoNotSee(String root, List<String> stairs, int above) {
    return noClasses()
        .that()
        .resideInAnyPackage(
            stairs.stream().limit(above).map(room -> root + "." + room).toArray(String[]::new))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(root + "." + stairs.get(above))
        .allowEmptyShould(true);
  }

  static ArchRule publicTypesAreNullMarked(String root) {
    return classesIn(root, concat(ADAPTERS, "ports", "bootstrap", "it"))
        .and()
        .arePublic()
        .should(
            ArchCondition.from(
                DescribedPredicate.describe(
                    "stand in a package that is @NullMarked",
                    c -> c.getPackage().isAnnotatedWith(NullMarked.class))))
        .allowEmptyShould(true);
  }

  /**
   * A method outside of any interface exists because it is called. A framework calls annotated
   * methods, and callers of the overridden method call overriding ones. Methods of inner packages
   * are an interface for the machine only, which must call them.
   */
  static ArchRule everyMethodIsCalled(String root, DescribedPredicate<JavaClass> held) {
    DescribedPredicate<JavaClass> inner = resideInAnyPackage(under(root + MACHINE, INNER));
    return methods()
        .that()
        .areDeclaredInClassesThat(held)
        .and(
            DescribedPredicate.describe(
                "are no part of any interface",
                method -> isHidden(method) || (isShown(method) && inner.test(method.getOwner()))))
        .should(
            new ArchCondition<>("be called") {
              @Override
              public void check(JavaMethod method, ConditionEvents events) {
                boolean known =
                    method.getModifiers().contains(JavaModifier.SYNTHETIC)
                        || !method.getAnnotations().isEmpty()
                        || overrides(method);
                if (!known && method.getAccessesToSelf().isEmpty()) {
                  events.add(SimpleConditionEvent.violated(method, method.getFullName()));
                }
              }
            });
  }

  private static boolean isShown(JavaMethod method) {
    return method.getModifiers().contains(JavaModifier.PUBLIC)
        && method.getOwner().getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean isHidden(JavaMethod method) {
    return Stream.of(JavaModifier.PRIVATE, JavaModifier.PROTECTED, JavaModifier.PUBLIC)
        .noneMatch(method.getModifiers()::contains);
  }

  private static boolean overrides(JavaMethod method) {
    String[] parameters =
        method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
    return Stream.concat(
            method.getOwner().getAllRawSuperclasses().stream(),
            method.getOwner().getAllRawInterfaces().stream())
        .anyMatch(above -> above.tryGetMethod(method.getName(), parameters).isPresent());
  }

  private static ArchRule none(Touch touch, String root, String... packages) {
    return noClassesIn(root, packages).should(touch).allowEmptyShould(true);
  }

  private static ArchRule seesNone(String root, String from, String... to) {
    return noClassesIn(root, from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(under(root, to))
        .allowEmptyShould(true);
  }

  private static ArchRule both(ArchRule one, ArchRule two) {
    return CompositeArchRule.of(one).and(two).allowEmptyShould(true);
  }

  private static GivenClassesConjunction classesIn(String root, String... packages) {
    return classes().that().resideInAnyPackage(under(root, packages));
  }

  private static GivenClassesConjunction noClassesIn(String root, String... packages) {
    return noClasses().that().resideInAnyPackage(under(root, packages));
  }

  private static String[] under(String root, String... packages) {
    return Arrays.stream(packages).map(name -> root + "." + name + "..").toArray(String[]::new);
  }

  private static String[] others(String adapter) {
    return Arrays.stream(ADAPTERS).filter(a -> !a.equals(adapter)).toArray(String[]::new);
  }

  private static String[] concat(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }
}
