package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.MemoryBacking;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * One GPU with its primary context. Every call first makes that context current in the calling
 * thread: the current context belongs to the OS thread, and callers may share or change it.
 */
public final class Gpu implements DeviceMemory {
  private final int ordinal;
  private final Device shown;
  private final CUdevice device;
  private final CUcontext context = new CUcontext();
  private final AtomicLong steps = new AtomicLong();
  private boolean closed;

  Gpu(Device shown) {
    this.shown = shown;
    this.ordinal = shown.ordinal();
    this.device = shown.handle();
    ask("open", () -> JCudaDriver.cuDevicePrimaryCtxRetain(context, device));
  }

  /** One call of the driver. */
  interface Call {
    void run();
  }

  /**
   * Calls the driver for no particular GPU.
   *
   * @throws MachineException with the driver's reason
   */
  static void call(String what, Call call) {
    try {
      call.run();
    } catch (CudaException e) {
      throw DriverRefusal.of("call=" + what, String.valueOf(e.getMessage()));
    }
  }

  /** Calls the driver for this GPU, in whichever context is current. */
  private void ask(String what, Call call) {
    try {
      call.run();
    } catch (CudaException e) {
      throw failed(what, e);
    }
  }

  /** Calls the driver for this GPU, in its context. */
  void run(String what, Call call) {
    current();
    ask(what, call);
  }

  /**
   * Calls the driver to free something. The call is tried even if the context cannot be made
   * current: the driver knows the context of an object that it made.
   */
  void giveBack(String what, Call call) {
    requireOpen();
    try {
      current();
    } finally {
      ask(what, call);
    }
  }

  public int ordinal() {
    return ordinal;
  }

  public String name() {
    return shown.name();
  }

  @Override
  public UUID uuid() {
    return shown.uuid();
  }

  /** 90 for compute capability 9.0. */
  public int capability() {
    return 10 * attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        + attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  }

  /**
   * Whether kernels can begin before their predecessors in a stream have ended, including in a
   * graph captured from it. Before CUDA 12.3 graphs have no edges for this.
   */
  public boolean launchesEarly() {
    return capability() >= 90 && DriverLibrary.version().launchesEarly();
  }

  public int multiprocessors() {
    return attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  }

  /**
   * A file by which network interfaces register memory of this GPU, if the driver exports one.
   *
   * @param address of memory that {@link #allocate} or {@link #share} gave
   */
  public MemoryBacking backing(long address, long bytes) {
    if (attribute(CUdevice_attribute.CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED) == 0) {
      return new MemoryBacking.Copied(
          "GPU hands out no files of its memory: gpu=%d, name=%s; load the open kernel modules of its driver, or keep what peers reach in the host's memory"
              .formatted(ordinal, name()));
    }
    return MemoryFile.of(this, address, bytes);
  }

  private int attribute(int attribute) {
    int[] value = new int[1];
    ask("attribute=" + attribute, () -> JCudaDriver.cuDeviceGetAttribute(value, attribute, device));
    return value[0];
  }

  /** This GPU as the driver describes it. */
  public Device device() {
    return shown;
  }

  /**
   * How often memory was allocated or mapped, a kernel loaded, or a stream, an event or a graph
   * made, for this GPU so far. If two calls give equal numbers, nothing was made in between.
   */
  public long preparations() {
    return steps.get();
  }

  /** Counts one more preparation. */
  void prepared() {
    steps.incrementAndGet();
  }

  /** Maps the other GPU's memory here. */
  public void map(Gpu other) {
    current();
    try {
      JCudaDriver.cuCtxEnablePeerAccess(other.context, 0);
      prepared();
    } catch (CudaException e) {
      if (!String.valueOf(e.getMessage()).contains("PEER_ACCESS_ALREADY_ENABLED")) {
        throw failed("map peer memory", e);
      }
    }
  }

  @Override
  public long allocate(long bytes) {
    return ResourceStack.making(made -> {
      CUdeviceptr pointer = new CUdeviceptr();
      run("allocate bytes=" + bytes, () -> JCudaDriver.cuMemAlloc(pointer, bytes));
      long address = HandleAddresses.of(pointer);
      made.add(() -> free(address));
      prepared();
      clear(address, bytes);
      return address;
    });
  }

  @Override
  public SharedMemory share(long bytes) {
    return ResourceStack.making(made -> {
      SharedMemory memory = made.add(VirtualMemory.create(this, bytes));
      prepared();
      clear(memory.address(), memory.bytes());
      return memory;
    });
  }

  @Override
  public SharedMemory open(OpenDescriptor file, long bytes) {
    prepared();
    return VirtualMemory.open(this, file, bytes);
  }

  @Override
  public DeviceFlag flag() {
    return new HostWord(this);
  }

  @Override
  public AllocationSharing sharing() {
    return new DriverSharing(this);
  }

  @Override
  public void free(long address) {
    giveBack("free", () -> JCudaDriver.cuMemFree(HandleAddresses.device(address)));
  }

  @Override
  public void write(long address, byte[] bytes) {
    write(address, Pointer.to(bytes), bytes.length);
  }

  @Override
  public byte[] read(long address, int length) {
    byte[] bytes = new byte[length];
    read(address, Pointer.to(bytes), length);
    return bytes;
  }

  public void write(long address, long[] words) {
    write(address, Pointer.to(words), (long) words.length * Long.BYTES);
  }

  private void write(long address, Pointer from, long bytes) {
    if (bytes > 0) {
      run(
          "write bytes=" + bytes,
          () -> {
            JCudaDriver.cuMemcpyHtoD(HandleAddresses.device(address), from, bytes);
            settle();
          });
    }
  }

  private void read(long address, Pointer into, long bytes) {
    if (bytes > 0) {
      run(
          "read bytes=" + bytes,
          () -> JCudaDriver.cuMemcpyDtoH(into, HandleAddresses.device(address), bytes));
    }
  }

  @Override
  public void copy(long to, long from, long bytes) {
    if (bytes > 0) {
      run(
          "copy bytes=" + bytes,
          () -> {
            JCudaDriver.cuMemcpyDtoD(
                HandleAddresses.device(to), HandleAddresses.device(from), bytes);
            settle();
          });
    }
  }

  /** Zeroes memory; complete on return. */
  public void clear(long address, long bytes) {
    run(
        "clear bytes=" + bytes,
        () -> {
          JCudaDriver.cuMemsetD8(HandleAddresses.device(address), (byte) 0, bytes);
          settle();
        });
  }

  /**
   * Waits until a copy or clear is in memory. The driver's call returns earlier: once the bytes are
   * staged, or at once for a clear. Kernels of this GPU run on streams that do not wait for the
   * stream of the copy, and kernels of peers could not wait for it.
   */
  private void settle() {
    JCudaDriver.cuStreamSynchronize(new CUstream());
  }

  public long[] readWords(long address, int count) {
    long[] words = new long[count];
    read(address, Pointer.to(words), (long) count * Long.BYTES);
    return words;
  }

  public long readWord(long address) {
    return readWords(address, 1)[0];
  }

  /** Compiles a kernel's text for this GPU, and loads it. */
  public KernelFunction load(String ptx, String entry) {
    return load(entry, module -> JCudaDriver.cuModuleLoadData(module, ptx));
  }

  /**
   * Compiles a kernel's text to code for this GPU. Threads compile at the same time, whereas the
   * driver loads one text at a time.
   */
  public byte[] compile(String ptx, String entry) {
    return PtxCompilation.of(this, ptx, entry);
  }

  /** Loads a kernel that {@link #compile} compiled for this GPU. */
  public KernelFunction load(byte[] code, String entry) {
    return load(entry, module -> JCudaDriver.cuModuleLoadData(module, code));
  }

  private KernelFunction load(String entry, Consumer<CUmodule> image) {
    return ResourceStack.making(made -> {
      CUmodule module = new CUmodule();
      run("load kernel=" + entry, () -> image.accept(module));
      made.add(() -> unload(module));
      prepared();
      return new KernelFunction(this, module, entry);
    });
  }

  void unload(CUmodule module) {
    giveBack("unload", () -> JCudaDriver.cuModuleUnload(module));
  }

  public DriverStream stream() {
    return new DriverStream(this);
  }

  private void requireOpen() {
    if (closed) {
      throw new MachineException("GPU is closed: gpu=" + ordinal + "; open the driver again");
    }
  }

  void current() {
    requireOpen();
    try {
      JCudaDriver.cuCtxSetCurrent(context);
    } catch (CudaException e) {
      throw failed("use", e);
    }
  }

  MachineException failed(String what, CudaException e) {
    return refused(ordinal, what, String.valueOf(e.getMessage()));
  }

  static MachineException refused(int ordinal, String what, String reason) {
    return DriverRefusal.of("gpu=%d, call=%s".formatted(ordinal, what), reason);
  }

  static String name(int result) {
    return CUresult.stringFor(result);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ask("close", () -> JCudaDriver.cuDevicePrimaryCtxRelease(device));
    }
  }
}
