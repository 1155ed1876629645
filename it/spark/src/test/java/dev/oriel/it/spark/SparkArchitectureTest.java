package dev.oriel.it.spark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Only this package sees Spark. */
class SparkArchitectureTest {
  private static final JavaClasses ALL = new ClassFileImporter().importPackages("dev.oriel");

  private static ArchRule nothingOutside(String room) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(room)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.spark..", "scala..", "org.apache.hadoop..");
  }

  @Test
  void onlyThisPackageSeesSpark() {
    assertThat(ALL.contain(SparkLevels.class)).isTrue();
    assertThat(ALL.contain("dev.oriel.sim.levels.Levels")).isTrue();
    nothingOutside("dev.oriel.it.spark").check(ALL);
  }

  @Test
  void theRuleCanFail() {
    assertThatThrownBy(() -> nothingOutside("dev.oriel.it.elsewhere").check(ALL))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("SparkLevels");
  }
}
