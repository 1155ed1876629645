package dev.oriel.it.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/** A module missing in a bundle's runtime fails only on a host without another Java. */
class BundleModulesTest {
  @Test
  void aBundleHasEveryModuleThatOrielUses() {
    List<String> arguments =
        new ArrayList<>(
            List.of("--multi-release", "25", "--ignore-missing-deps", "--print-module-deps", "-q"));
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.contains("adapters-") || entry.endsWith("classes"))
        .filter(entry -> !entry.endsWith("test-classes"))
        .forEach(arguments::add);
    StringWriter found = new StringWriter();
    PrintWriter out = new PrintWriter(found, true);
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(out, out, arguments.toArray(String[]::new));
    assertThat(code).as(found.toString()).isZero();
    assertThat(BundleCommand.MODULES.split(",")).contains(found.toString().strip().split(","));
    assertThat(found.toString()).contains("jdk.management");
  }
}
