package dev.oriel.cuda.device;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The contract's kernels, compiled for threads of the host. */
@SuppressWarnings("restricted")
final class HostKernels implements AutoCloseable {
  private static final List<String> SOURCES =
      List.of(
          "emulated_gpu.h",
          "window_kernels.cuh",
          "host_kernels.cc",
          "race_detection.cc",
          "ring.cu");

  private final Arena arena = Arena.ofShared();
  private final SymbolLookup library;

  HostKernels(Path folder) throws Exception {
    Path built = folder.resolve("kernels.so");
    compile(folder, DeviceHandle.header(), "host_kernels.cc", built, "-shared", "-fPIC");
    library = SymbolLookup.libraryLookup(built, arena);
  }

  /** Skips the test, and says so, where there is no compiler. */
  static void requireCompiler() {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, "g++"))) {
        return;
      }
    }
    String reason = "no g++ on the PATH; install one to run kernels on threads of the host";
    System.out.println("skipped: device handles by kernels: " + reason);
    abort(reason);
  }

  /** Compiles one of the sources against a text of the header. */
  static void compile(Path folder, String header, String source, Path built, String... options)
      throws Exception {
    for (String name : SOURCES) {
      try (InputStream in = HostKernels.class.getResourceAsStream("/device/" + name)) {
        Files.write(folder.resolve(name), in.readAllBytes());
      }
    }
    Files.writeString(folder.resolve("oriel_device.cuh"), header);
    List<String> command =
        new ArrayList<>(List.of("g++", "-std=c++20", "-O1", "-g", "-Wall", "-Wextra", "-Werror"));
    command.addAll(List.of(options));
    command.addAll(List.of("-pthread", "-o", built.toString(), source));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String said = said(process);
    if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new AssertionError("not compiled: " + said);
    }
  }

  /** All that a process says until it ends. */
  static String said(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  private Object call(String name, Object... arguments) {
    ValueLayout[] layouts = new ValueLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case MemorySegment _ -> ValueLayout.ADDRESS;
            case Integer _ -> ValueLayout.JAVA_INT;
            default -> ValueLayout.JAVA_LONG;
          };
    }
    MethodHandle function =
        Linker.nativeLinker()
            .downcallHandle(
                library.find(name).orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts));
    // A virtual thread would keep its carrier for as long as the kernel runs, and other ranks need
    // it.
    CompletableFuture<Object> result = new CompletableFuture<>();
    Thread ignored =
        Thread.ofPlatform()
            .start(() -> {
              try {
                result.complete(function.invokeWithArguments(arguments));
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    return result.join();
  }

  private static MemorySegment struct(Arena scratch, DeviceHandle handle) {
    return scratch.allocateFrom(ValueLayout.JAVA_LONG, handle.words());
  }

  /** One launch of the contract; returns the numbers of wrong bytes and of failed operations. */
  List<Long> launch(DeviceHandle handle, int world, long launch, int threads) {
    try (Arena scratch = Arena.ofShared()) {
      MemorySegment own = scratch.allocate(ContractKernels.scratch(world), 16);
      MemorySegment tally = scratch.allocate(ValueLayout.JAVA_LONG, 2);
      Object ignored =
          call("contract_launch", struct(scratch, handle), own, tally, launch, 1L, threads);
      return List.of(
          tally.getAtIndex(ValueLayout.JAVA_LONG, 0), tally.getAtIndex(ValueLayout.JAVA_LONG, 1));
    }
  }

  /** One launch of the example; returns the sums. */
  float[] ring(DeviceHandle handle, float[] tile, int threads) {
    try (Arena scratch = Arena.ofShared()) {
      MemorySegment from = scratch.allocateFrom(ValueLayout.JAVA_FLOAT, tile);
      MemorySegment sum = scratch.allocate(ValueLayout.JAVA_FLOAT, tile.length);
      Object ignored =
          call("ring_launch", struct(scratch, handle), from, sum, (long) tile.length, threads);
      return sum.toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  /** A number that the contract's kernels have, for a world of so many ranks. */
  int number(String name, int world) {
    return (int) call(name, world);
  }

  DeviceFailure.Result await(DeviceHandle handle, int source, int id, long value, int threads) {
    try (Arena scratch = Arena.ofShared()) {
      return result(call("contract_wait", struct(scratch, handle), source, id, value, threads));
    }
  }

  DeviceFailure.Result put(DeviceHandle handle, int peer, long offset, byte[] bytes) {
    try (Arena scratch = Arena.ofShared()) {
      MemorySegment from = scratch.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      long length = bytes.length;
      return result(call("contract_put", struct(scratch, handle), peer, offset, from, length));
    }
  }

  DeviceFailure.Result barrier(DeviceHandle handle, int id, int only) {
    try (Arena scratch = Arena.ofShared()) {
      return result(call("contract_barrier", struct(scratch, handle), id, only));
    }
  }

  private static DeviceFailure.Result result(Object number) {
    return DeviceFailure.Result.of((int) number);
  }

  @Override
  public void close() {
    arena.close();
  }
}
