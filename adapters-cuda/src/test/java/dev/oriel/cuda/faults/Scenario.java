package dev.oriel.cuda.faults;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.device.DeviceHandle;
import dev.oriel.cuda.device.DeviceSlots;
import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.ApplicationGpu;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DeviceAllocation;
import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.ExportedAllocation;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.MappedPages;
import dev.oriel.cuda.driver.PinnedHostMemory;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.persistent.GpuCalls;
import dev.oriel.cuda.persistent.GpuStream;
import dev.oriel.cuda.sampling.KernelSampler;
import dev.oriel.cuda.sampling.SampledKernel;
import dev.oriel.cuda.stress.StressContents;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.PersistentCalls;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

/** A sequence of calls from opening the driver to closing everything, on two GPUs. */
enum Scenario {
  /** All ranks in this process. */
  PROGRAM {
    @Override
    void run() throws Exception {
      try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
        use(executor, Scenario.program("push_all_gather"), Map.of());
      }
    }
  },

  /** A kernel for each rank, which threads compile at the same time. */
  LONG {
    @Override
    void run() throws Exception {
      StringBuilder text = new StringBuilder("form long\nsignal S[1]\nlane main: sm(32) {\n");
      for (int rank = 0; rank < WORLD; rank++) {
        text.append("if r == %d {\n".formatted(rank));
        text.repeat("signal S[0] set epoch release\n", 1000).append("}\n");
      }
      Form form = FormParser.parse(text.append("}\n").toString());
      Program program = Program.bind(form, WORLD, Map.of());
      try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
        executor.compileWith(Thread.ofPlatform()::start);
        try (CudaInstance instance = executor.prepare(program, Topology.grid(1, WORLD))) {
          Object ignored = instance.launch(SOON);
        }
      }
    }
  },

  /** Copies by engines: concurrent chains. */
  COPIES {
    @Override
    void run() throws Exception {
      try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
        use(executor, Scenario.program("copy_all_gather"), Map.of());
      }
    }
  },

  /** Ranks that share only what processes can share. */
  JOINED {
    @Override
    void run() throws Exception {
      among(ranks -> {
        try (CudaExecutor executor =
            CudaExecutor.join(ranks, ranks.rank(), FabricListener.NONE, System::nanoTime)) {
          use(executor, Scenario.program("push_all_gather"), Map.of());
        }
      });
    }
  },

  /** Ranks of one host in a world that a network connects: they share pages of the host. */
  HOSTS {
    @Override
    void run() throws Exception {
      among(ranks -> {
        try (CudaExecutor executor =
            CudaExecutor.join(
                ranks, ranks.rank(), new NoPeerNetwork(), FabricListener.NONE, System::nanoTime)) {
          use(executor, Scenario.program("push_all_gather"), Map.of());
        }
      });
    }
  },

  /** Launches in the application's streams and graphs. */
  RECORDED {
    @Override
    void run() throws Exception {
      try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
        recorded(executor, Scenario.program("push_all_gather"));
        recorded(executor, Scenario.program("copy_all_gather"));
      }
    }

    private void recorded(CudaExecutor executor, Program program) {
      try (Gpu gpu = CudaDriver.open(1);
          CudaInstance instance = executor.prepare(program, Topology.grid(1, WORLD));
          DriverStream mine = gpu.stream();
          DriverGraph graph = mine.capture(() -> instance.record(1, mine.handle()))) {
        graph.replay();
        Object ignored = instance.settle(1, mine.handle(), SOON);
      }
    }
  },

  /** Buffers are the application's. */
  LENT {
    @Override
    void run() throws Exception {
      try (ResourceStack app = new ResourceStack();
          CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
        Map<Integer, Map<String, UserMemory>> given = new TreeMap<>();
        List<Gpu> gpus = CudaDriver.open();
        gpus.forEach(app::add);
        for (Gpu gpu : gpus) {
          long address = gpu.allocate(BYTES);
          app.add(() -> gpu.free(address));
          given.put(gpu.ordinal(), Map.of("in", new UserMemory(address, BYTES)));
        }
        use(executor, Scenario.program("push_all_gather"), given);
      }
    }
  },

  /** Memory that other processes lend. */
  HANDLES {
    @Override
    void run() {
      try (Gpu gpu = CudaDriver.open(0);
          ResourceStack app = new ResourceStack()) {
        AllocationSharing sharing = gpu.sharing();
        for (MemoryKind kind :
            List.of(MemoryKind.ALLOCATED, MemoryKind.MAPPED, MemoryKind.POOLED)) {
          UserMemory memory = ApplicationGpu.allocate(gpu, kind, BYTES, app);
          DeviceAllocation found = sharing.find(memory).holding(memory, 0).exportable(memory);
          try (ExportedAllocation exported = sharing.export(found)) {
            app.add(sharing.open(exported));
          }
        }
        UserMemory there = ApplicationGpu.allocate(gpu, MemoryKind.POOLED, BYTES, app);
        sharing.reach(1, MemoryKind.POOLED, there.address());
        sharing.reach(1, MemoryKind.ALLOCATED, 0);
      }
    }
  },

  /** Pages of the host. */
  PAGES {
    @Override
    void run() {
      try (Gpu gpu = CudaDriver.open(1);
          PinnedHostMemory memory = new PinnedHostMemory(gpu, 4 * BYTES);
          MappedPages pages = new MappedPages(gpu)) {
        long start = MemorySegment.ofBuffer(memory.bytes()).address();
        long ignored = pages.memory(start + BYTES, BYTES);
        ignored += pages.memory(start, 4 * BYTES);
        ignored += pages.register(start, BYTES);
      }
    }
  },

  /** Windows and buffers. */
  WINDOW {
    @Override
    void run() throws Exception {
      among(ranks -> {
        try (Communicator member = GpuCommunicators.byRank(System::nanoTime).join(ranks);
            LocalBuffer buffer = member.buffer(BYTES);
            Window window = member.window(WINDOW_SPEC)) {
          buffer.write(0, new byte[] {1, 2, 3});
          window.put(1 - ranks.rank(), 0, buffer, 0, 3);
        }
      });
    }
  },

  /** Windows over memory of the application, of each kind that can be shared. */
  USER_WINDOW {
    @Override
    void run() throws Exception {
      over(MemoryKind.ALLOCATED);
    }
  },

  /** The same with memory that is mapped in pieces. */
  PIECES_WINDOW {
    @Override
    void run() throws Exception {
      over(MemoryKind.MAPPED);
    }
  },

  /** The same with memory of a pool. */
  POOL_WINDOW {
    @Override
    void run() throws Exception {
      over(MemoryKind.POOLED);
    }
  },

  /** Windows in kernels of the caller. */
  DEVICE_HANDLE {
    @Override
    void run() throws Exception {
      among(ranks -> {
        try (Communicator member = GpuCommunicators.byRank(System::nanoTime).join(ranks);
            Window window = member.window(WINDOW_SPEC);
            DeviceHandle handle =
                DeviceHandle.over(window, new DeviceSlots(2, 1, 1), System::nanoTime)) {
          long[] words = handle.words();
          if (words.length != DeviceHandle.WORDS || handle.await(() -> true, SOON).isPresent()) {
            throw new MachineException("a handle whose kernels never ran failed");
          }
          handle.renew();
        }
      });
    }
  },

  /**
   * Calls in graphs: in the caller's, and in that of a stream of this adapter. The one rank waits
   * for no other.
   */
  CALLS {
    @Override
    void run() throws Exception {
      try (Bootstrap alone = InProcessBootstrap.group(1, SOON).getFirst();
          Communicator member = GpuCommunicators.byRank(System::nanoTime).join(alone);
          GpuWindow window = GpuWindow.of(member.window(WINDOW_SPEC));
          PersistentCalls calls =
              PersistentCalls.over(
                  window, CALLS_SPEC, GpuCalls.over(window, CALLS_SPEC, System::nanoTime), SOON);
          DriverStream mine = window.gpu().stream();
          GpuStream own = GpuStream.on(window.gpu(), 7)) {
        GpuStream external = GpuStream.external(window.gpu(), mine.handle());
        mine.capture(() -> gather(calls, external, window)).close();
        calls.destroy(ExchangePattern.ALL_GATHER, external, OUT);
        own.capture();
        gather(calls, own, window);
        own.captured().close();
      }
    }

    private void gather(PersistentCalls calls, GpuStream stream, Window window) {
      try {
        Object ignored = calls.allGather(stream, OUT, window, FROM, 64, SOON);
      } catch (TimeoutException e) {
        throw new MachineException("one rank waits for nobody", e);
      }
    }
  },

  /** Kernels that are loaded and never launched. */
  SAMPLES {
    @Override
    void run() {
      try (KernelSampler sampler = KernelSampler.open()) {
        SampledKernel kernel =
            new SampledKernel(".version 8.0", "k", List.of(1, 1), 1, List.of(0L), 1, 8);
        sampler.run(kernel, 1, 1, true, (outputs, cells) -> {});
      }
    }
  },

  /** Test of the detector: leaks an object, and uses one after its end. */
  BROKEN {
    @Override
    void run() {
      Gpu gpu = CudaDriver.open(0);
      long address = gpu.allocate(BYTES);
      DriverGraph graph;
      long ended;
      try (DriverStream stream = gpu.stream()) {
        graph = stream.capture(() -> {});
        ended = stream.handle();
      }
      gpu.free(address);
      DriverStream.external(gpu, ended).synchronize();
      graph.replay();
    }
  };

  private static final int WORLD = 2;
  private static final long BYTES = 4096;
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final CallSpec CALLS_SPEC = new CallSpec(4 * BYTES, 0, 3, 0);
  private static final WindowSpec WINDOW_SPEC =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(CALLS_SPEC.control() + CALLS_SPEC.controlBytes(WORLD)))
          .withSignals(CALLS_SPEC.signalCount())
          .withBarriers(2);
  private static final WindowRegion OUT = new WindowRegion("w", 0, 2 * BYTES);
  private static final long FROM = 2 * BYTES;

  /** Runs the sequence once; frees what it made, also if a call fails. */
  abstract void run() throws Exception;

  /** Windows over memory of that kind. */
  static void over(MemoryKind kind) throws Exception {
    among(ranks -> over(ranks, kind));
  }

  private static void over(Bootstrap ranks, MemoryKind kind) {
    try (Gpu gpu = CudaDriver.openInTurn(ranks.rank());
        ResourceStack app = new ResourceStack()) {
      UserMemory memory = ApplicationGpu.allocate(gpu, kind, BYTES, app);
      WindowSpec spec = WindowSpec.named("u").withData(DataSizes.uniform(BYTES));
      try (Communicator member = GpuCommunicators.byRank(System::nanoTime).join(ranks);
          LocalBuffer buffer = member.buffer(memory);
          Window window = member.window(spec, buffer);
          Window other = member.window(WindowSpec.named("v").withData(spec.data()), buffer)) {
        buffer.write(0, new byte[] {1, 2, 3});
        window.put(1 - ranks.rank(), 8, buffer, 0, 3);
        other.get(1 - ranks.rank(), 8, buffer, 16, 3);
      }
    }
  }

  /** The part of one rank. */
  @FunctionalInterface
  interface Part {
    void run(Bootstrap ranks) throws Exception;
  }

  static Program program(String name) throws Exception {
    try (InputStream in = Form.class.getResourceAsStream("/programs/" + name + ".oriel")) {
      Form form = FormParser.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      return Program.bind(form, WORLD, Map.of("B", 64L));
    }
  }

  private static void use(
      CudaExecutor executor, Program program, Map<Integer, Map<String, UserMemory>> given)
      throws Exception {
    try (CudaInstance instance = executor.prepare(program, Topology.grid(1, WORLD), given)) {
      for (int rank : instance.ranks()) {
        instance.write(rank, "in", 0, new byte[] {1, 2, 3});
      }
      Object ignored = instance.launch(SOON);
      ignored = instance.record(2).replay(SOON);
      if (instance.ranks().size() < WORLD || !given.isEmpty()) {
        return;
      }
      Map<Integer, List<StressContents>> sheets = new TreeMap<>();
      for (int rank : instance.ranks()) {
        StressContents.ExpectedBytes out =
            new StressContents.ExpectedBytes(new byte[128], new byte[128]);
        Map<String, byte[]> in = Map.of("in", new byte[64], "out", new byte[128]);
        sheets.put(rank, List.of(new StressContents(in, Map.of("out", out))));
        ignored = instance.read(rank, "out", 0, 3);
      }
      ignored = instance.stressRun(sheets, 2, 1, Duration.ZERO).run(SOON);
    }
  }

  /** Runs each rank on a thread of its own; all have ended when it returns, or throws. */
  static void among(Part part) throws Exception {
    List<Bootstrap> group = InProcessBootstrap.group(WORLD, SOON);
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (Bootstrap ranks : group) {
      FutureTask<Void> task =
          new FutureTask<>(() -> {
            try (ranks) {
              part.run(ranks);
            }
            return null;
          });
      tasks.add(task);
      Thread.ofPlatform().start(task);
    }
    Exception failed = null;
    for (FutureTask<Void> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        if (failed == null) {
          failed = e;
        } else {
          failed.addSuppressed(e);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
