package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of an exhibit contains every entry once and no others. */
class CaseStudyParserTest {

  @Test
  void parsesAllEntries() {
    CaseStudy exhibit = CaseStudyParser.read("B35", CaseStudyFixtures.text("B35"));
    assertThat(exhibit.rows()).containsExactly("B35", "vllm-2760", "vllm-57059", "flashinfer");
    assertThat(exhibit.isOf("FLASHINFER")).isTrue();
    assertThat(exhibit.family()).isEqualTo(FailureFamily.ORDERING);
    CaseStudyPrograms showcase = exhibit.showcase().orElseThrow();
    assertThat(showcase.world()).isEqualTo("1x2");
    assertThat(showcase.alarm().kind()).isEqualTo("race");
    assertThat(showcase.alarm().says()).hasSize(3);
  }

  @Test
  void aRepairedProgramDropsAndAddsMarkedLines() {
    ProgramRepair edit = new ProgramRepair("keep\n  drop   ---\n  --+ add\nkeep\n");
    assertThat(edit.twin()).isEqualTo("keep\n  add\nkeep\n");
    assertThat(edit.size()).isEqualTo(2);
    assertThat(edit.places()).isEqualTo(1);
    assertThat(edit.difference()).containsExactly("  keep", "-   drop", "+   add", "  keep");
  }

  @ParameterizedTest
  @CsvSource({
    "-- class: ordering, -- class: other, unknown value",
    "-- class: ordering, -- kind: ordering, not there once",
    "-- world: 1x2, -- world: 1x2\\n-- world: 1x3, not there once",
    "-- world: 1x2, -- world: 1x2\\n-- colour: red, unknown or out of place",
    "-- world: 1x2, -- world 1x2, no key",
    "-- profile: L1, -- profile: L9, unknown profile",
    "-- finds: race, -- finds: doubt\\n-- says: so, unknown detector",
    "-- finds: race, -- finds: deadlock, an alarm without a reason",
    "-- edge: , -- site: , a race has two accesses",
    "-- strategy: fifo, -- strategy: luck, unknown value",
  })
  void rejectsMissingUnknownAndDuplicateEntries(String old, String replacement, String message) {
    String there = old.endsWith(":") ? old + " " : old;
    String other = replacement.endsWith(":") ? replacement + " " : replacement;
    assertThatThrownBy(() -> CaseStudyFixtures.with("B35", there, other.replace("\\n", "\n")))
        .hasMessageContaining(message);
  }

  @Test
  void exhibitsAreReadFromAJarInTheirOrder(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("museum.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String file : List.of("README.txt", "B35.oriel", "B101.oriel", "B22.oriel")) {
        zip.putNextEntry(new ZipEntry("museum/" + file));
        String text =
            file.endsWith(".oriel") ? CaseStudyFixtures.text(file.replace(".oriel", "")) : "";
        zip.write(text.getBytes(StandardCharsets.UTF_8));
      }
    }
    CaseStudyCatalogue read =
        CaseStudyCatalogue.beside(URI.create("jar:" + jar.toUri() + "!/museum/README.txt").toURL());
    assertThat(read.exhibits()).extracting(CaseStudy::id).containsExactly("B22", "B35", "B101");
  }

  @Test
  void aWrongFileIsNamedAndTheOthersAreKept(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("B35.oriel"), CaseStudyFixtures.text("B35"));
    Files.writeString(folder.resolve("B22.oriel"), CaseStudyFixtures.text("B22"));
    Files.writeString(folder.resolve("B36.oriel"), CaseStudyFixtures.text("B35"));
    Files.writeString(
        folder.resolve("B40.oriel"), CaseStudyFixtures.text("B40").replace("L0", "L9"));
    Files.writeString(
        folder.resolve("B41.oriel"), CaseStudyFixtures.text("B40").replace("1x2", "two"));
    Files.write(folder.resolve("B42.oriel"), new byte[] {(byte) 0xC3, 0x28});
    CaseStudyCatalogue read = CaseStudyCatalogue.of(folder);
    assertThat(read.exhibits()).extracting(CaseStudy::id).containsExactly("B22", "B35");
    assertThat(read.unreadable())
        .extracting(CaseStudyCatalogue.Unreadable::file)
        .containsExactly("B36.oriel", "B40.oriel", "B41.oriel", "B42.oriel");
    assertThat(read.missing("b36"))
        .isEqualTo(
            "its exhibit is wrong: row=b36, file=B36.oriel:"
                + " two exhibits of one row: row=B35; drop one of them");
    assertThat(read.missing("B40")).contains("unknown profile: profile=L9");
    assertThat(read.missing("B99")).startsWith("no such row: row=B99");
  }
}
