package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Function;

/** What is held and must be freed, the latest first; closing twice does nothing. */
public final class Resources implements AutoCloseable {
  private final Deque<AutoCloseable> held = new ArrayDeque<>();

  /** Holds one more. */
  public <T extends AutoCloseable> T add(T resource) {
    held.push(resource);
    return resource;
  }

  /**
   * What {@code making} gives, which owns from then on what was added. Where it fails, all of that
   * is freed.
   */
  public static <T> T making(Function<Resources, T> making) {
    Resources made = new Resources();
    try {
      return making.apply(made);
    } catch (RuntimeException | Error e) {
      Throwable ignored = made.closeBehind(e);
      throw e;
    }
  }

  /** Frees all of them, the last first; what cannot be freed is said after the others were. */
  public static void closeAll(Collection<? extends AutoCloseable> all) {
    Resources held = new Resources();
    all.forEach(held::add);
    held.close();
  }

  /** Frees all behind a failure, which stays what is told. */
  public <E extends Throwable> E closeBehind(E failure) {
    try {
      close();
    } catch (MachineException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /** Frees all; what cannot be freed is said after the others were. */
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
