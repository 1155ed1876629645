package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.WorkRequest;

/** A request but for what its queue decides when it is posted. */
@FunctionalInterface
public interface Draft {
  /** The request with its number, whether its end is reported, and whether it waits for answers. */
  WorkRequest complete(long id, boolean signalled, boolean fenced);
}
