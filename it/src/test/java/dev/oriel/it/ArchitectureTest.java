package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

class ArchitectureTest {
  private static final String ROOT = "dev.oriel";
  private static final Path HOUSE = Path.of("..");
  private static final List<String> MODULES =
      List.of("domain", "ports", "adapters-sim", "adapters-cuda", "adapters-ibverbs", "it");

  private static final JavaClasses REAL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  @ParameterizedTest
  @ValueSource(
      strings = {"domain", "ports", "adapters-sim", "adapters-cuda", "adapters-ibverbs", "it"})
  void everyClassOfAModuleIsRead(String module) throws IOException {
    assertThat(HOUSE.resolve(module).resolve("pom.xml")).exists();
    Path sources = HOUSE.resolve(module).resolve("src/main/java");
    try (Stream<Path> files = Files.exists(sources) ? Files.walk(sources) : Stream.empty()) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .map(file -> sources.relativize(file).toString().replaceAll("\\.java$", ""))
          .map(file -> file.replaceAll("[/\\\\]", "."))
          .forEach(name -> assertThat(REAL.contain(name)).as(name).isTrue());
    }
  }

  @Test
  void everyClassBelongsToAModule() {
    ArchitectureRules.everyClassBelongsToAModule(ROOT).check(REAL);
  }

  @Test
  void theDomainDependsOnPlainJavaAlone() {
    ArchitectureRules.domainDependsOnPlainJavaAlone(ROOT).check(REAL);
  }

  @Test
  void theDomainTouchesNoSurroundings() {
    ArchitectureRules.domainTouchesNoSurroundings(ROOT).check(REAL);
  }

  @Test
  void theDomainSeesNoPort() {
    ArchitectureRules.domainSeesNoPort(ROOT).check(REAL);
  }

  @Test
  void portsTouchNoSurroundings() {
    ArchitectureRules.portsTouchNoSurroundings(ROOT).check(REAL);
  }

  @Test
  void domainAndPortsSeeNoAdapter() {
    ArchitectureRules.coreSeesNoAdapter(ROOT).check(REAL);
  }

  @Test
  void adaptersDoNotSeeOneAnother() {
    ArchitectureRules.adaptersDoNotSeeOneAnother(ROOT).check(REAL);
  }

  @Test
  void librariesDoNotSeeTheCommand() {
    ArchitectureRules.librariesDoNotSeeTheCommand(ROOT).check(REAL);
  }

  @Test
  void onlyTwoPackagesGoNative() {
    ArchitectureRules.onlyTwoPackagesGoNative(ROOT).check(REAL);
  }

  @Test
  void librariesHoldNoComponent() {
    ArchitectureRules.librariesHoldNoComponent(ROOT).check(REAL);
  }

  @Test
  void librariesCreateNoThread() {
    ArchitectureRules.librariesCreateNoThread(ROOT).check(REAL);
  }

  @Test
  void packagesAreFreeOfCycles() {
    ArchitectureRules.packagesAreFreeOfCycles(ROOT).check(REAL);
  }

  @Test
  void innerRoomsAreTheMachinesOwn() {
    ArchitectureRules.innerRoomsAreTheMachinesOwn(ROOT).check(REAL);
  }

  @Test
  void innerRoomsAloneSetTheirFields() {
    ArchitectureRules.innerRoomsAloneSetTheirFields(ROOT).check(REAL);
  }

  @Test
  void roomsSeeNoneAbove() {
    ArchitectureRules.roomsSeeNoneAbove(ROOT).check(REAL);
  }

  @Test
  void publicTypesAreNullMarked() {
    ArchitectureRules.publicTypesAreNullMarked(ROOT).check(REAL);
  }

  /** Tests count as callers: they use parts that nothing else uses. */
  @Test
  void everyMethodIsCalled() {
    List<Path> compiled =
        MODULES.stream()
            .map(HOUSE::resolve)
            .flatMap(module ->
                Stream.of(module.resolve("target/classes"), module.resolve("target/test-classes")))
            .toList();
    ArchitectureRules.everyMethodIsCalled(
            ROOT, DescribedPredicate.describe("are no tests", c -> REAL.contain(c.getName())))
        .check(new ClassFileImporter().importPaths(compiled));
  }

  @Test
  void theDomainsPomHasNoDependencyButForTests() throws Exception {
    assertThat(scopes(HOUSE.resolve("domain/pom.xml"))).isSubsetOf("test");
    assertThat(scopes(HOUSE.resolve("pom.xml"))).containsOnly("test");
    assertThat(scopes(HOUSE.resolve("ports/pom.xml"))).contains("compile");
  }

  /** The scopes of a pom's own dependencies; the managed ones are only versions. */
  private static List<String> scopes(Path pom) throws Exception {
    Element project =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(pom.toFile())
            .getDocumentElement();
    return children(project, "dependencies")
        .flatMap(dependencies -> children(dependencies, "dependency"))
        .map(dependency ->
            children(dependency, "scope").map(Node::getTextContent).findFirst().orElse("compile"))
        .toList();
  }

  private static Stream<Element> children(Element parent, String name) {
    return Stream.iterate(parent.getFirstChild(), n -> n != null, Node::getNextSibling)
        .filter(Element.class::isInstance)
        .map(Element.class::cast)
        .filter(element -> element.getTagName().equals(name));
  }

  /** Each rule reports exactly the classes that were written to break it. */
  @Nested
  class ARuleCanFail {
    private static final String BROKEN = "dev.oriel.it.broken";
    private static final Pattern CLASS = Pattern.compile("broken\\.([\\w.]*\\b[A-Z]\\w*)");

    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(BROKEN);

    @Test
    void everyClassBelongsToAModule() {
      assertThat(reported(ArchitectureRules.everyClassBelongsToAModule(BROKEN)))
          .containsOnly("elsewhere.Stray");
    }

    @Test
    void theDomainDependsOnPlainJavaAlone() {
      assertThat(reported(ArchitectureRules.domainDependsOnPlainJavaAlone(BROKEN)))
          .containsOnly(
              "domain.GoesNative",
              "domain.OpensSocket",
              "domain.Prints",
              "domain.ReadsFile",
              "domain.ReadsInstant",
              "domain.SeesPort",
              "domain.UsesLibrary");
    }

    @Test
    void theDomainTouchesNoSurroundings() {
      assertThat(reported(ArchitectureRules.domainTouchesNoSurroundings(BROKEN)))
          .containsOnly(
              "domain.AsksProcess",
              "domain.DrawsRandom",
              "domain.GoesNative",
              "domain.Logs",
              "domain.OpensSocket",
              "domain.Prints",
              "domain.ReadsClock",
              "domain.ReadsFile",
              "domain.ReadsInstant",
              "domain.RefersToClock",
              "domain.Reflects",
              "domain.TouchesThread");
    }

    @Test
    void theDomainSeesNoPort() {
      assertThat(reported(ArchitectureRules.domainSeesNoPort(BROKEN)))
          .containsOnly("domain.SeesPort");
    }

    @Test
    void portsTouchNoSurroundings() {
      assertThat(reported(ArchitectureRules.portsTouchNoSurroundings(BROKEN)))
          .containsOnly(
              "ports.OpensChannel", "ports.Sleeps", "ports.TakesTime", "ports.WritesFile");
    }

    @Test
    void domainAndPortsSeeNoAdapter() {
      assertThat(reported(ArchitectureRules.coreSeesNoAdapter(BROKEN)))
          .containsOnly("ports.ExposesAdapter");
    }

    @Test
    void adaptersDoNotSeeOneAnother() {
      assertThat(reported(ArchitectureRules.adaptersDoNotSeeOneAnother(BROKEN)))
          .containsOnly("cuda.SeesSim");
    }

    @Test
    void librariesDoNotSeeTheCommand() {
      assertThat(reported(ArchitectureRules.librariesDoNotSeeTheCommand(BROKEN)))
          .containsOnly("ibverbs.SeesCommand");
    }

    @Test
    void onlyTwoPackagesGoNative() {
      assertThat(reported(ArchitectureRules.onlyTwoPackagesGoNative(BROKEN)))
          .containsOnly("cuda.UsesJcuda", "domain.GoesNative", "ibverbs.LoadsLibrary");
    }

    @Test
    void librariesHoldNoComponent() {
      assertThat(reported(ArchitectureRules.librariesHoldNoComponent(BROKEN)))
          .containsOnly("sim.Wired");
    }

    @Test
    void librariesCreateNoThread() {
      assertThat(reported(ArchitectureRules.librariesCreateNoThread(BROKEN)))
          .containsOnly(
              "bootstrap.Spawns",
              "sim.BorrowsPool",
              "sim.GoesParallel",
              "sim.RefersToThread",
              "sim.SpawnsPool",
              "sim.SpawnsThread",
              "sim.Timed");
    }

    @Test
    void packagesAreFreeOfCycles() {
      assertThat(
              ArchitectureRules.packagesAreFreeOfCycles(BROKEN)
                  .evaluate(CLASSES)
                  .getFailureReport()
                  .getDetails())
          .hasSizeGreaterThanOrEqualTo(1)
          .anySatisfy(cycle -> assertThat(cycle).contains("sim.there", "sim.back"));
    }

    @Test
    void innerRoomsAreTheMachinesOwn() {
      assertThat(reported(ArchitectureRules.innerRoomsAreTheMachinesOwn(BROKEN)))
          .containsOnly("sim.SeesLayout");
    }

    @Test
    void innerRoomsAloneSetTheirFields() {
      assertThat(reported(ArchitectureRules.innerRoomsAloneSetTheirFields(BROKEN)))
          .containsOnly("sim.machine.Sets");
    }

    @Test
    void roomsSeeNoneAbove() {
      assertThat(reported(ArchitectureRules.roomsSeeNoneAbove(BROKEN)))
          .containsOnly(
              "bootstrap.SeesUpstairs", "sim.machine.rows.SeesLayout", "sim.machine.rows.SeesCore");
    }

    @Test
    void publicTypesAreNullMarked() {
      assertThat(reported(ArchitectureRules.publicTypesAreNullMarked(BROKEN)))
          .contains("cuda.Unmarked", "sim.Wired", "sim.there.There", "sim.back.Back")
          .doesNotContain("ports.Fine", "it.Fine");
    }

    @Test
    void everyMethodIsCalled() {
      assertThat(
              ArchitectureRules.everyMethodIsCalled(BROKEN, DescribedPredicate.alwaysTrue())
                  .evaluate(CLASSES)
                  .getFailureReport()
                  .getDetails())
          .filteredOn(line -> line.contains("Uncalled"))
          .containsExactlyInAnyOrder(
              "dev.oriel.it.broken.sim.Uncalled.forgotten()",
              "dev.oriel.it.broken.sim.machine.layout.Uncalled.forgotten()");
    }

    /** The first class named in each line of a report is the one that broke the rule. */
    private static Set<String> reported(ArchRule rule) {
      Set<String> names = new TreeSet<>();
      for (String line : rule.evaluate(CLASSES).getFailureReport().getDetails()) {
        var name = CLASS.matcher(line);
        assertThat(name.find()).as(line).isTrue();
        names.add(name.group(1));
      }
      return names;
    }
  }
}
