package dev.oriel.ibverbs.mlx5;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GarbageProperties {
  /** Random blocks; most with a real opcode and few segments, to get past these checks. */
  @Provide
  Arbitrary<byte[]> blocks() {
    Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofSize(64);
    Arbitrary<Byte> opcode = Arbitraries.of(ElementOpcode.class).map(known -> (byte) known.code());
    Arbitrary<Byte> segments = Arbitraries.bytes().between((byte) 0, (byte) 6);
    Arbitrary<byte[]> near =
        any.flatMap(block ->
            opcode.flatMap(o ->
                segments.map(s -> {
                  byte[] changed = block.clone();
                  changed[0] = 0;
                  changed[3] = o;
                  changed[7] = s;
                  changed[11] &= 0x6e;
                  changed[32] &= (byte) 0x80;
                  changed[33] = 0;
                  changed[34] = 0;
                  changed[16] &= (byte) 0x80;
                  return changed;
                })));
    return Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(1, any), net.jqwik.api.Tuple.of(4, near));
  }

  @Property(tries = 20_000)
  @Sampled(every = 10)
  void aBlockIsRejectedByNameOrDecodesToOneElement(@ForAll("blocks") byte[] block) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    bytes.put(0, block);
    SendElement element;
    try {
      element = ElementReader.read(bytes, 0);
    } catch (MachineException e) {
      assertThat(e).hasMessageMatching("element not readable: field=\\w+, value=0x[0-9a-f]+; .+");
      return;
    }
    ElementWriter.write(bytes, 0, element);
    assertThat(ElementReader.read(bytes, 0)).isEqualTo(element);
    byte[] written = new byte[64];
    bytes.get(0, written);
    // Opcode, index, queue pair, segments and addresses are at their original offsets.
    assertThat(HexFormat.of().formatHex(Arrays.copyOf(written, 8)))
        .isEqualTo(HexFormat.of().formatHex(Arrays.copyOf(block, 8)));
  }

  @Property(tries = 5_000)
  @Sampled(every = 10)
  void aCompletionIsRejectedByNameOrDecoded(@ForAll("blocks") byte[] block, @ForAll boolean known) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    bytes.put(0, block);
    if (known) {
      bytes.put(63, (byte) (block[63] & 0x21));
      bytes.put(56, (byte) ElementOpcode.READ.code());
    }
    try {
      CompletionElement completion = CompletionBytes.read(bytes, 0);
      CompletionBytes.write(bytes, 0, completion, 0);
      assertThat(CompletionBytes.read(bytes, 0)).isEqualTo(completion);
    } catch (MachineException e) {
      assertThat(e)
          .hasMessageMatching("completion not readable: field=\\w+, value=0x[0-9a-f]+; .+");
    }
  }
}
