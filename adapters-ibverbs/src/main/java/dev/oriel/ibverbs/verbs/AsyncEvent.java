package dev.oriel.ibverbs.verbs;

import java.util.Optional;

/**
 * An event of a device, a port or a queue that belongs to no request.
 *
 * @param code {@code enum ibv_event_type}
 * @param of the number of the port or of the queue pair; 0 for any other subject
 */
public record AsyncEvent(int code, int of) {

  /** The subject of an event. */
  enum Subject {
    QUEUE_PAIR("pair"),
    PORT("port"),
    /** The device, or a queue that has no number here. */
    OTHER("");

    private final String key;

    Subject(String key) {
      this.key = key;
    }
  }

  /** {@code enum ibv_event_type}, in its order. */
  enum Kind {
    QUEUE_FAILED(Subject.OTHER, "completion queue failed"),
    PAIR_FAILED(Subject.QUEUE_PAIR, "queue pair failed"),
    PAIR_REQUEST(Subject.QUEUE_PAIR, "invalid request at queue pair"),
    PAIR_ACCESS(Subject.QUEUE_PAIR, "queue pair refused an access of its peer"),
    CONNECTED(Subject.QUEUE_PAIR, "connection established"),
    DRAINED(Subject.QUEUE_PAIR, "send queue drained"),
    MIGRATED(Subject.QUEUE_PAIR, "path migrated"),
    NOT_MIGRATED(Subject.QUEUE_PAIR, "path not migrated"),
    DEVICE_FAILED(Subject.OTHER, "device failed"),
    PORT_UP(Subject.PORT, "port up"),
    PORT_DOWN(Subject.PORT, "port down"),
    LID_CHANGED(Subject.PORT, "port has another address"),
    KEYS_CHANGED(Subject.PORT, "port has other partition keys"),
    MANAGER_CHANGED(Subject.PORT, "port has another subnet manager"),
    RECEIVES_FAILED(Subject.OTHER, "shared receive queue failed"),
    RECEIVES_LOW(Subject.OTHER, "shared receive queue runs low"),
    LAST_RECEIVE(Subject.QUEUE_PAIR, "queue pair took its last receive"),
    REGISTER_AGAIN(Subject.PORT, "port has to be registered again"),
    GIDS_CHANGED(Subject.PORT, "port has other addresses"),
    WORK_QUEUE_FAILED(Subject.OTHER, "work queue failed");

    private final Subject subject;
    private final String text;

    Kind(Subject subject, String text) {
      this.subject = subject;
      this.text = text;
    }
  }

  private static Optional<Kind> kind(int code) {
    Kind[] all = Kind.values();
    return code < 0 || code >= all.length ? Optional.empty() : Optional.of(all[code]);
  }

  static Subject subject(int code) {
    return kind(code).map(kind -> kind.subject).orElse(Subject.OTHER);
  }

  private boolean is(Kind kind) {
    return kind(code).equals(Optional.of(kind));
  }

  /** Whether a port no longer carries traffic. */
  public boolean portLost() {
    return is(Kind.PORT_DOWN);
  }

  /** Whether a port carries traffic again. */
  public boolean portBack() {
    return is(Kind.PORT_UP);
  }

  /** The event in words, with its port or queue pair. */
  public String text() {
    String what = kind(code).map(kind -> kind.text).orElse("event " + code);
    Subject subject = subject(code);
    return subject == Subject.OTHER ? what : "%s: %s=%d".formatted(what, subject.key, of);
  }
}
