package dev.oriel.ibverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.verbs.RdmaPresence.Absent;
import dev.oriel.ibverbs.verbs.RdmaPresence.Present;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class VerbsLibraryTest {

  @Test
  void theProbeAlwaysAnswers() {
    assertThat(VerbsLibrary.probe())
        .satisfiesAnyOf(
            answer -> assertThat(answer).isEqualTo(new Present("libibverbs.so.1")),
            answer -> assertThat(((Absent) answer).sentence()).startsWith("no RDMA here: "));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theErrorQuotesTheLoader() {
    Absent absent = (Absent) VerbsLibrary.probe("libnosuchverbs.so.1", "libnosuch", "Linux");
    assertThat(absent.sentence())
        .isEqualTo(
            "no RDMA here: library=libnosuchverbs.so.1, loader=libnosuchverbs.so.1: cannot open"
                + " shared object file: No such file or directory; install rdma-core's libraries"
                + " (package libnosuch)");
  }

  @Test
  void otherSystemsHaveNoVerbs() {
    assertThat(
            ((Absent) VerbsLibrary.probe("libibverbs.so.1", "libibverbs1", "Mac OS X")).sentence())
        .isEqualTo(
            "no RDMA here: system=Mac OS X, library=libibverbs.so.1;"
                + " run on Linux, or use the simulator, which needs no RDMA");
  }
}
