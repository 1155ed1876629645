package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.oriel.ports.MachineException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Functions of the driver that JCuda lacks, or that JCuda calls in a way that the driver refuses.
 * Binding never fails: if the driver lacks the function, the call reports it.
 */
@SuppressWarnings("restricted")
final class ForeignFunctions {
  private static final MethodHandle LACKING;

  static {
    try {
      LACKING =
          MethodHandles.lookup()
              .findStatic(
                  ForeignFunctions.class,
                  "lacking",
                  MethodType.methodType(int.class, String.class));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a method of this class", e);
    }
  }

  private ForeignFunctions() {}

  /** The function of that name, which returns a result code. */
  static MethodHandle bind(String name, MemoryLayout... arguments) {
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, arguments);
    return DriverLibrary.find(name)
        .map(address -> Linker.nativeLinker().downcallHandle(address, type))
        .orElseGet(() ->
            MethodHandles.dropArguments(
                LACKING.bindTo(name), 0, type.toMethodType().parameterList()));
  }

  /** Takes the place of a function that the driver lacks. */
  @SuppressWarnings("UnusedMethod") // called by its handle
  private static int lacking(String name) {
    throw MachineException.lacking(
        "CUDA driver lacks a function: call=%s; install a newer driver".formatted(name));
  }

  /**
   * Calls a function for that GPU, in its context.
   *
   * @throws MachineException with the driver's reason
   */
  static void call(Gpu gpu, String what, MethodHandle function, Object... arguments) {
    gpu.run(what, () -> invoke(gpu, what, function, arguments));
  }

  /** Calls a function that frees something, as {@link Gpu#giveBack} does. */
  static void giveBack(Gpu gpu, String what, MethodHandle function, Object... arguments) {
    gpu.giveBack(what, () -> invoke(gpu, what, function, arguments));
  }

  private static void invoke(Gpu gpu, String what, MethodHandle function, Object... arguments) {
    int result = invoked(function, arguments);
    if (result != 0) {
      throw Gpu.refused(gpu.ordinal(), what, Gpu.name(result));
    }
  }

  private static int invoked(MethodHandle function, Object... arguments) {
    try {
      return (int) function.invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw thrown(e);
    }
  }

  /** The result code of a function for that GPU, in its context. */
  static int result(Gpu gpu, String what, MethodHandle function, Object... arguments) {
    int[] result = new int[1];
    gpu.run(what, () -> result[0] = invoked(function, arguments));
    return result[0];
  }

  /**
   * Turns what a handle threw into a failure: driver functions throw nothing, only the stand-in for
   * a missing one does.
   */
  static RuntimeException thrown(Throwable e) {
    if (e instanceof MachineException lacking) {
      return lacking;
    }
    throw new AssertionError("a downcall throws nothing", e);
  }
}
