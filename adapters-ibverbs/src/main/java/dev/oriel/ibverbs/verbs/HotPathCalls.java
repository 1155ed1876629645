package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The calls of the hot path, which no symbol exports: the header's inline functions call through
 * pointers that the device's driver put into its context. The pointers do not move while it is
 * open.
 *
 * <p>None of these calls blocks. But posting may enter the kernel; they are therefore ordinary
 * downcalls, which do not hold up the garbage collector.
 */
final class HotPathCalls {
  private static final MethodHandle POLL =
      pointed(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
  private static final MethodHandle NOTIFY =
      pointed(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle POST =
      pointed(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  private final MemorySegment poll;
  private final MemorySegment notify;
  private final MemorySegment send;
  private final MemorySegment receive;

  HotPathCalls(MemorySegment context) {
    this.poll = operation(context, "poll_cq");
    this.notify = operation(context, "req_notify_cq");
    this.send = operation(context, "post_send");
    this.receive = operation(context, "post_recv");
  }

  private static MemorySegment operation(MemorySegment context, String name) {
    return DeviceContext.pointerAt(
        context, ControlPathLayouts.at(ControlPathLayouts.CONTEXT, "ops", name), name);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle pointed(FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(type);
  }

  /** The number of completions written to {@code into}, or a negative number. */
  int poll(MemorySegment queue, int most, MemorySegment into) {
    try {
      return (int) POLL.invokeExact(poll, queue, most, into);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("call failed: operation=poll_cq", e);
    }
  }

  int notify(MemorySegment queue) {
    try {
      return (int) NOTIFY.invokeExact(notify, queue, 0);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("call failed: operation=req_notify_cq", e);
    }
  }

  int send(MemorySegment pair, MemorySegment request, MemorySegment bad) {
    return post(send, pair, request, bad);
  }

  int receive(MemorySegment pair, MemorySegment request, MemorySegment bad) {
    return post(receive, pair, request, bad);
  }

  private static int post(
      MemorySegment operation, MemorySegment pair, MemorySegment request, MemorySegment bad) {
    try {
      return (int) POST.invokeExact(operation, pair, request, bad);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("call failed: operation=post", e);
    }
  }
}
