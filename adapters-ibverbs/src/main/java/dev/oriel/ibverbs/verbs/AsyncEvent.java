package dev.oriel.ibverbs.verbs;

/**
 * Something that happened to a device, a port or a queue outside any request.
 *
 * @param code {@code enum ibv_event_type}
 */
public record AsyncEvent(int code) {

  /** Whether a port no longer carries traffic. */
  public boolean portLost() {
    return code == 10;
  }

  /** Whether a port carries traffic again. */
  public boolean portBack() {
    return code == 9;
  }

  /** What happened, in words. */
  public String text() {
    return switch (code) {
      case 0 -> "completion queue failed";
      case 1 -> "queue pair failed";
      case 2 -> "queue pair asked for what is not there";
      case 3 -> "queue pair refused an access of its peer";
      case 4 -> "connection established";
      case 5 -> "send queue drained";
      case 6, 7 -> "path migration";
      case 8 -> "device failed";
      case 9 -> "port up";
      case 10 -> "port down";
      case 11, 12, 13, 14, 17, 18 -> "port addresses or settings changed";
      default -> "event " + code;
    };
  }
}
