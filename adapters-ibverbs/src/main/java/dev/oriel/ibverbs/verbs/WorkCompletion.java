package dev.oriel.ibverbs.verbs;

/**
 * The end of a request. After a failure only {@code id}, {@code queuePair}, {@code status} and
 * {@code vendor} are meaningful, and every later request of the queue pair is {@code FLUSHED}.
 *
 * @param id the id of the request
 * @param queuePair the number of the queue pair
 * @param vendor the device's own code for a failure
 * @param opcode {@code enum ibv_wc_opcode}
 * @param bytes the number of bytes that a receive took
 * @param immediate the immediate of a receive, or 0
 */
public record WorkCompletion(
    long id,
    int queuePair,
    CompletionStatus status,
    int vendor,
    int opcode,
    int bytes,
    int immediate) {

  /** Whether the request succeeded. */
  public boolean succeeded() {
    return status == CompletionStatus.SUCCESS;
  }

  /** Whether this is of a receive, with or without an immediate. */
  public boolean received() {
    return (opcode & VerbsConstants.WC_RECV) != 0;
  }
}
