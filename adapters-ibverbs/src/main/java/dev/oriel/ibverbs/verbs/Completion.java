package dev.oriel.ibverbs.verbs;

/**
 * How a request ended. After a failure only {@code id}, {@code queuePair}, {@code status} and
 * {@code vendor} mean anything, and every later request of the queue pair is {@code FLUSHED}.
 *
 * @param id what the request was posted with
 * @param queuePair the number of the queue pair
 * @param vendor the device's own code for a failure
 * @param opcode {@code enum ibv_wc_opcode}
 * @param bytes how many bytes a receive took
 * @param immediate what came with it, or 0
 */
public record Completion(
    long id,
    int queuePair,
    CompletionStatus status,
    int vendor,
    int opcode,
    int bytes,
    int immediate) {

  /** Whether the request did what it was to. */
  public boolean succeeded() {
    return status == CompletionStatus.SUCCESS;
  }

  /** Whether this is of a receive, with or without an immediate. */
  public boolean received() {
    return (opcode & Verbs.WC_RECV) != 0;
  }
}
