package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.WorkRequest;

/** A request without the fields that its queue fills in at posting. */
@FunctionalInterface
public interface RequestDraft {
  /** The request with its number, whether its completion is reported, and whether it is fenced. */
  WorkRequest complete(long id, boolean signalled, boolean fenced);
}
