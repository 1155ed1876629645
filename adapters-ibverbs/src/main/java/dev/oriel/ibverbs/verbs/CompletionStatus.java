package dev.oriel.ibverbs.verbs;

import dev.oriel.ports.MachineException;

/** {@code enum ibv_wc_status}, in its order, with the meaning of each and a remedy. */
public enum CompletionStatus {
  SUCCESS("ended well", "nothing to do"),
  LOCAL_LENGTH("longer than the buffer or the port allows", "split the transfer"),
  LOCAL_QUEUE_PAIR(
      "this side could not carry it out", "see local keys, the link and the route to the peer"),
  LOCAL_CONTEXT("the end-to-end context is inconsistent", "report it with the device's model"),
  LOCAL_PROTECTION("local key or address not registered", "register the memory before posting"),
  FLUSHED("dropped, since the queue pair had failed before", "look at the first failure"),
  WINDOW_BIND("memory window not bound", "register the memory instead"),
  BAD_RESPONSE("the peer answered out of turn", "see both devices' firmware"),
  LOCAL_ACCESS("local memory may not be written", "register it with LOCAL_WRITE"),
  REMOTE_INVALID("the peer cannot take such a request", "post receives, and check lengths"),
  REMOTE_ACCESS(
      "the peer's key, address or access does not fit", "exchange keys anew and stay in bounds"),
  REMOTE_OPERATION("the peer failed to carry it out", "look at the peer's own completions"),
  RETRIES("the peer did not answer", "see that the peer lives and the link is up"),
  RECEIVER_NOT_READY("the peer posted no receive", "post receives before sending"),
  DOMAIN("datagram domain violated", "report it with the device's model"),
  DATAGRAM("datagram request invalid", "report it with the device's model"),
  REMOTE_ABORTED("the peer aborted it", "look at the peer's own completions"),
  CONTEXT_NUMBER("bad end-to-end context number", "report it with the device's model"),
  CONTEXT_STATE("bad end-to-end context state", "report it with the device's model"),
  FATAL("the device failed", "reset the device"),
  RESPONSE_TIMEOUT("no answer in time", "see that the peer lives and the link is up"),
  GENERAL("failed for a reason of the device's own", "look up the vendor's code");

  private final String text;
  private final String remedy;

  CompletionStatus(String text, String remedy) {
    this.text = text;
    this.remedy = remedy;
  }

  /** The meaning. */
  public String text() {
    return text;
  }

  /** The remedy. */
  public String remedy() {
    return remedy;
  }

  static CompletionStatus of(int code) {
    CompletionStatus[] all = values();
    if (code < 0 || code >= all.length) {
      throw new MachineException(
          "unknown completion status: code=%d, known=0 to %d; report it with the device's model"
              .formatted(code, all.length - 1));
    }
    return all[code];
  }
}
