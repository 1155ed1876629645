package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Function;

/** Resources that are freed in reverse order of their addition; closing twice does nothing. */
public final class ResourceStack implements AutoCloseable {
  private final Deque<AutoCloseable> held = new ArrayDeque<>();

  /** Adds one more; returns it. */
  public <T extends AutoCloseable> T add(T resource) {
    held.push(resource);
    return resource;
  }

  /**
   * The result of {@code making}, which owns the resources that it added. If it fails, all of them
   * are freed.
   */
  public static <T> T making(Function<ResourceStack, T> making) {
    ResourceStack made = new ResourceStack();
    try {
      return making.apply(made);
    } catch (RuntimeException | Error e) {
      Throwable ignored = made.closeSuppressing(e);
      throw e;
    }
  }

  /** Frees all of them, in reverse order; failures are reported after every resource was tried. */
  public static void closeAll(Collection<? extends AutoCloseable> all) {
    ResourceStack held = new ResourceStack();
    all.forEach(held::add);
    held.close();
  }

  /** Frees all after a failure, which remains the one that is reported. */
  public <E extends Throwable> E closeSuppressing(E failure) {
    try {
      close();
    } catch (MachineException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /** Frees all; failures are reported after every resource was tried. */
  @Override
  public void close() {
    MachineException failed = null;
    while (!held.isEmpty()) {
      AutoCloseable resource = held.pop();
      try {
        resource.close();
      } catch (Exception e) {
        MachineException one =
            new MachineException(
                "could not free: resource=%s, reason=%s; the process must end"
                    .formatted(resource, e),
                e);
        if (failed == null) {
          failed = one;
        } else {
          failed.addSuppressed(one);
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
