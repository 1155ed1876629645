package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class SendRequestsProperties {
  private static final int COMPARED_WITH_C = 2000;

  @Provide
  Arbitrary<WorkRequest> requests() {
    return SomeRequests.any();
  }

  @Property
  void requestsDecodeToThemselves(@ForAll("requests") WorkRequest request) {
    try (Arena arena = Arena.ofConfined()) {
      SendRequests requests = SendRequests.allocate(arena, 3);
      requests.put(1, request);
      assertThat(SendDecoder.decode(requests.block(1))).isEqualTo(request);
    }
  }

  @Property
  void aBlockKeepsNothingOfItsPreviousRequest(
      @ForAll("requests") WorkRequest before, @ForAll("requests") WorkRequest after) {
    try (Arena arena = Arena.ofConfined()) {
      SendRequests requests = SendRequests.allocate(arena, 2);
      requests.put(0, before);
      requests.put(1, before);
      requests.put(0, after);
      assertThat(SendDecoder.decode(requests.block(0))).isEqualTo(after);
      assertThat(SendDecoder.decode(requests.block(1))).isEqualTo(before);
    }
  }

  @Test
  void cWritesTheSameBytes() throws Exception {
    List<WorkRequest> requests = SomeRequests.any().sampleStream().limit(COMPARED_WITH_C).toList();
    String input =
        requests.stream().map(SendRequestsProperties::line).collect(Collectors.joining("\n"));
    List<String> expected = CPrograms.run("blocks.c", input);
    assertThat(requests.stream().map(r -> HexFormat.of().formatHex(bytes(r)))).isEqualTo(expected);
  }

  /** Its block; pointers count from its start. */
  private static byte[] bytes(WorkRequest request) {
    MemorySegment block = MemorySegment.ofArray(new long[(int) (SendRequests.STRIDE / Long.BYTES)]);
    new SendRequests(block).put(0, request);
    return block.toArray(JAVA_BYTE);
  }

  private static String line(WorkRequest r) {
    return switch (r) {
      case WorkRequest.Write w -> line('w', r, w.local(), 0);
      case WorkRequest.Read d -> line('r', r, d.local(), 0);
      case WorkRequest.WriteWord w -> line('i', r, new Local(0, Long.BYTES, 0), w.value());
      case WorkRequest.WriteImmediate w -> line('m', r, w.local(), 0);
      case WorkRequest.Send w -> line('s', r, w.local(), 0);
      case WorkRequest.CompareSwap c -> line('c', r, c.local(), c.compare());
      case WorkRequest.FetchAdd f -> line('a', r, f.local(), f.addend());
    };
  }

  private static String line(char kind, WorkRequest r, Local local, long value) {
    return "%c %x %x %x %x %x %x %x %x"
        .formatted(
            kind,
            r.id(),
            (r.signalled() ? 1 : 0) | (r.fenced() ? 2 : 0),
            local.address(),
            local.bytes(),
            local.key(),
            r.remote().address(),
            r.remote().key(),
            value);
  }
}
