package dev.oriel.cuda.device;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.RankThreads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;

/**
 * The example of a kernel that computes and sends: {@code gemm_all_gather.cu} on the GPUs of this
 * host, one rank for each, against a product that the host computes.
 */
public final class GemmAllGather {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int TILE = 128;
  private static final int THREADS = 256;
  private static final int CHECKED = 4000;

  /** The shape: rows of each rank, columns, and the inner dimension. */
  private record Shape(int world, int rows, int columns, int inner) {
    long bytes() {
      return 2L * world * rows * columns;
    }

    long tiles() {
      return (long) rows / TILE * (columns / TILE);
    }
  }

  private GemmAllGather() {}

  /** Arguments: file with PTX, ranks, rows, columns, inner dimension, replays. */
  public static void main(String[] arguments) throws Exception {
    String ptx = Files.readString(Path.of(arguments[0]));
    int[] numbers = Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
    Shape shape = new Shape(numbers[0], numbers[1], numbers[2], numbers[3]);
    CyclicBarrier turn = new CyclicBarrier(shape.world);
    List<Bootstrap> group = InProcessBootstrap.group(shape.world, LONG);
    List<String> said =
        RankThreads.all(
            group,
            bootstrap -> {
              WindowSpec spec = WindowSpec.named("c").withData(DataSizes.uniform(shape.bytes()));
              try (Communicator c = GpuCommunicators.byRank(System::nanoTime).join(bootstrap);
                  GpuWindow window = GpuWindow.of(c.window(spec))) {
                return run(window, ptx, shape, numbers[4], turn);
              }
            });
    group.forEach(Bootstrap::close);
    said.forEach(System.out::println);
    if (!said.stream().allMatch(line -> line.contains("wrong=0"))) {
      System.exit(1);
    }
  }

  /** Elements of -1, 0 and 1: sums of them are exact in 16 bits. */
  private static byte[] elements(int count, long seed) {
    ByteBuffer bytes = ByteBuffer.allocate(2 * count).order(ByteOrder.LITTLE_ENDIAN);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      bytes.putShort(Float.floatToFloat16(random.nextInt(3) - 1));
    }
    return bytes.array();
  }

  private static float element(byte[] all, int index) {
    return Float.float16ToFloat(
        ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getShort(2 * index));
  }

  private static String run(
      GpuWindow window, String ptx, Shape shape, int replays, CyclicBarrier turn) throws Exception {
    Gpu gpu = window.gpu();
    int rank = window.rank();
    byte[] b = elements(shape.inner * shape.columns, 99);
    List<byte[]> left =
        IntStream.range(0, shape.world)
            .mapToObj(r -> elements(shape.rows * shape.inner, r))
            .toList();
    try (DeviceHandle handle =
            DeviceHandle.over(window, new DeviceSlots(1, 1, 0), System::nanoTime);
        ResourceStack owned = new ResourceStack()) {
      long at = memory(gpu, left.get(rank), owned);
      long bt = memory(gpu, b, owned);
      long done = memory(gpu, new byte[Long.BYTES], owned);
      long alone = memory(gpu, new byte[Math.toIntExact(shape.bytes())], owned);
      DriverStream stream = owned.add(gpu.stream());
      int blocks = Math.toIntExact(shape.tiles());
      KernelFunction put = owned.add(gpu.load(ptx, "gemm_put"));
      KernelFunction gather = owned.add(gpu.load(ptx, "gather"));
      KernelFunction consumed = owned.add(gpu.load(ptx, "consumed"));
      KernelFunction gemm = owned.add(gpu.load(ptx, "gemm"));
      long[] columns = {shape.columns};
      long[] inner = {shape.inner};
      KernelLaunch puts =
          owned.add(
              new KernelLaunch(
                  put,
                  blocks,
                  THREADS,
                  1,
                  false,
                  handle.words(),
                  new long[] {at},
                  new long[] {bt},
                  columns,
                  inner));
      KernelLaunch gathers =
          owned.add(
              new KernelLaunch(
                  gather,
                  1,
                  32,
                  1,
                  false,
                  handle.words(),
                  new long[] {shape.tiles()},
                  new long[] {done}));
      KernelLaunch consumes =
          owned.add(new KernelLaunch(consumed, 1, 32, 1, false, handle.words()));
      KernelLaunch product =
          owned.add(
              new KernelLaunch(
                  gemm,
                  blocks,
                  THREADS,
                  1,
                  false,
                  new long[] {at},
                  new long[] {bt},
                  new long[] {alone},
                  columns,
                  inner,
                  new long[] {rank}));
      DriverGraph sending =
          owned.add(
              stream.capture(() -> {
                stream.launch(puts);
                stream.launch(gathers);
                stream.launch(consumes);
              }));
      DriverGraph computing = owned.add(stream.capture(() -> stream.launch(product)));
      String times = "";
      for (DriverGraph graph : List.of(sending, computing, sending, computing)) {
        turn.await();
        for (int warm = 0; warm < 10; warm++) {
          graph.replay();
        }
        stream.synchronize();
        turn.await();
        long start = System.nanoTime();
        for (int replay = 0; replay < replays; replay++) {
          graph.replay();
        }
        handle
            .await(stream::idle, LONG)
            .ifPresent(f -> {
              throw new AssertionError(f.message());
            });
        times += " %.1f us".formatted((System.nanoTime() - start) / 1e3 / replays);
      }
      int wrong = wrong(window, shape, left, b);
      return "rank=%d, rows=%d, columns=%d, inner=%d, replays=%d; product and gather, product alone, each again:%s; elements compared=%d, wrong=%d"
          .formatted(rank, shape.rows, shape.columns, shape.inner, replays, times, CHECKED, wrong);
    }
  }

  /** Compares elements of the gathered result with products that the host computes. */
  private static int wrong(GpuWindow window, Shape shape, List<byte[]> left, byte[] b) {
    int wrong = 0;
    SplittableRandom random = new SplittableRandom(window.rank());
    for (int i = 0; i < CHECKED; i++) {
      int of = random.nextInt(shape.world);
      int row = random.nextInt(shape.rows);
      int column = random.nextInt(shape.columns);
      float sum = 0;
      for (int k = 0; k < shape.inner; k++) {
        sum +=
            element(left.get(of), row * shape.inner + k) * element(b, k * shape.columns + column);
      }
      long offset = 2 * (((long) of * shape.rows + row) * shape.columns + column);
      wrong += element(window.read(offset, 2), 0) == sum ? 0 : 1;
    }
    return wrong;
  }

  private static long memory(Gpu gpu, byte[] bytes, ResourceStack owned) {
    long address = gpu.allocate(bytes.length);
    owned.add(() -> gpu.free(address));
    gpu.write(address, bytes);
    return address;
  }
}
