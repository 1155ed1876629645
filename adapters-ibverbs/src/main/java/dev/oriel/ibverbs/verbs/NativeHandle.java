package dev.oriel.ibverbs.verbs;

import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A native object. It is destroyed once it is closed and every object made from it is destroyed:
 * objects may be closed in any order, and twice.
 */
public abstract class NativeHandle implements AutoCloseable {
  /** Guards the counts of all handles; one lock is enough, since closing is rare. */
  private static final Object LOCK = new Object();

  private final String what;
  private final MemorySegment pointer;
  private final NativeHandle[] parents;

  /** One use by this object itself, and one for each child. */
  private int uses = 1;

  private boolean closed;

  NativeHandle(String what, MemorySegment pointer, NativeHandle... parents) {
    this.what = what;
    this.pointer = pointer;
    this.parents = parents;
    synchronized (LOCK) {
      for (NativeHandle parent : parents) {
        parent.uses++;
      }
    }
  }

  abstract void destroy();

  /** The native object, for a call. */
  MemorySegment pointer() {
    if (closed) {
      throw new MachineException(what + " is closed; make another");
    }
    return pointer;
  }

  /** The native object, for its destruction. */
  MemorySegment remains() {
    return pointer;
  }

  @Override
  public void close() {
    synchronized (LOCK) {
      if (!closed) {
        closed = true;
        release();
      }
    }
  }

  private void release() {
    if (--uses == 0) {
      new ClosingSequence().then(this::destroy).each(List.of(parents), NativeHandle::release).end();
    }
  }
}
