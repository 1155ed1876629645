package dev.oriel.cuda.stress;

import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.ptx.StressCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * One rank's part of a stress run: launch after launch. Before each, the GPU writes inputs and
 * poisons outputs; after it, the GPU compares the outputs. Every other launch begins after a random
 * pause.
 *
 * <p>Launches use the sheets in turn, and thus data left over from an earlier launch is wrong in
 * the next.
 */
public final class StressedRank implements AutoCloseable {
  private static final long ALIGNMENT = 256;

  /**
   * Few blocks. If ranks share a GPU, lanes are placed around a block that still runs. The gap that
   * the block leaves may fit no lane of another shape. Lanes that others wait for would then never
   * start.
   */
  private static final int BLOCKS = 4;

  private static final int THREADS = 256;
  private static final long NONE = -1;

  private final Gpu gpu;
  private final List<StressContents> sheets;
  private final ToLongFunction<String> buffers;
  private final ResourceStack owned = new ResourceStack();
  private final List<String> compared;
  private final List<KernelLaunch> before = new ArrayList<>();
  private final List<KernelLaunch> after = new ArrayList<>();
  private final long words;

  /**
   * The first wrong byte of one rank.
   *
   * @param launch from 1 on
   * @param all the number of wrong bytes in all launches
   */
  public record RankMismatch(
      long launch, String buffer, int offset, byte found, byte expected, long all) {}

  /**
   * Loads the sheets onto the GPU and lays out the launches of the kernels.
   *
   * @param sheets of this rank, all with the same buffers
   * @param buffers the address of each buffer
   * @param longest the longest pause, in nanoseconds
   */
  public StressedRank(
      Gpu gpu,
      StressKernels kernels,
      List<StressContents> sheets,
      ToLongFunction<String> buffers,
      long seed,
      long longest) {
    this.gpu = gpu;
    this.sheets = List.copyOf(sheets);
    this.buffers = buffers;
    this.compared = List.copyOf(new TreeSet<>(sheets.getFirst().after().keySet()));
    if (compared.size() > StressCode.BUFFERS) {
      throw new IllegalArgumentException(
          "too many buffers for a drill: buffers=%d, max=%d; drill a smaller program"
              .formatted(compared.size(), StressCode.BUFFERS));
    }
    try {
      words = memory(3L * Long.BYTES);
      forget();
      before.add(launch(kernels.turn, 1, 1, words, seed, longest));
      for (String name : new TreeSet<>(sheets.getFirst().before().keySet())) {
        fill(kernels.fill, name);
      }
      for (int number = 0; number < compared.size(); number++) {
        compare(kernels.compare, number);
      }
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  private void fill(KernelFunction fill, String name) {
    List<byte[]> images = sheets.stream().map(s -> given(s.before(), name)).toList();
    long bytes = images.getFirst().length;
    if (bytes > 0) {
      long stride = stride(bytes);
      before.add(
          launch(
              fill,
              BLOCKS,
              THREADS,
              words,
              sheets.size(),
              written(images, stride),
              stride,
              buffers.applyAsLong(name),
              bytes));
    }
  }

  private void compare(KernelFunction compare, int number) {
    String name = compared.get(number);
    List<StressContents.ExpectedBytes> all =
        sheets.stream().map(s -> given(s.after(), name)).toList();
    long bytes = all.getFirst().bytes().length;
    if (bytes >= StressCode.BYTES) {
      throw new IllegalArgumentException(
          "buffer too large for a drill: buffer=%s, bytes=%d, max=%d; drill a smaller size"
              .formatted(name, bytes, StressCode.BYTES - 1));
    }
    if (bytes > 0) {
      long stride = stride(bytes);
      after.add(
          launch(
              compare,
              BLOCKS,
              THREADS,
              words,
              sheets.size(),
              written(all.stream().map(StressContents.ExpectedBytes::bytes).toList(), stride),
              stride,
              buffers.applyAsLong(name),
              bytes,
              written(all.stream().map(StressContents.ExpectedBytes::mask).toList(), stride),
              words + Long.BYTES,
              number));
    }
  }

  private static <T> T given(Map<String, T> of, String name) {
    return Objects.requireNonNull(of.get(name), () -> "every sheet names it: buffer=" + name);
  }

  private static long stride(long bytes) {
    return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
  }

  private long memory(long bytes) {
    long address = gpu.allocate(bytes);
    owned.add(() -> gpu.free(address));
    return address;
  }

  private long written(List<byte[]> images, long stride) {
    long address = memory(stride * images.size());
    for (int i = 0; i < images.size(); i++) {
      gpu.write(address + stride * i, images.get(i));
    }
    return address;
  }

  private KernelLaunch launch(
      KernelFunction function, int blocks, int threads, long... parameters) {
    long[][] each = new long[parameters.length][];
    for (int i = 0; i < parameters.length; i++) {
      each[i] = new long[] {parameters[i]};
    }
    return owned.add(new KernelLaunch(function, blocks, threads, 1, false, each));
  }

  /** Puts the kernels that run before a launch into the stream. */
  public void before(DriverStream stream) {
    before.forEach(stream::launch);
  }

  /** Puts the kernels that run after a launch into the stream. */
  public void after(DriverStream stream) {
    after.forEach(stream::launch);
  }

  /** The first wrong byte, if any; to be called once the stream is idle. */
  public Optional<RankMismatch> wrong() {
    long[] now = gpu.readWords(words, 3);
    if (now[1] == 0) {
      return Optional.empty();
    }
    StressCode.FirstMismatch first = StressCode.FirstMismatch.of(now[2]);
    String buffer = compared.get(first.buffer());
    StressContents sheet = sheets.get(first.turn() % sheets.size());
    byte expected = given(sheet.after(), buffer).bytes()[first.offset()];
    return Optional.of(
        new RankMismatch(first.turn(), buffer, first.offset(), first.found(), expected, now[1]));
  }

  private void forget() {
    gpu.write(words, new long[] {0, 0, NONE});
  }

  @Override
  public void close() {
    owned.close();
  }
}
