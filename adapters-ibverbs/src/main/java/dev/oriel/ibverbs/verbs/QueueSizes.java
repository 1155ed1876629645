package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;

/**
 * The capacity of a queue pair.
 *
 * @param sends posted requests that are not yet known to have completed
 * @param receives posted receives that are not yet used
 * @param inline bytes that a request itself may carry
 */
public record QueueSizes(int sends, int receives, int inline) {

  void check(DeviceLimits limits) {
    check("sends", sends, 1, limits.queueDepth());
    check("receives", receives, 0, limits.queueDepth());
    check("inline", inline, 0, 1024);
  }

  private static void check(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new MachineException(
          "queue size out of range: what=%s, value=%d, min=%d, max=%d; choose another"
              .formatted(what, value, least, most));
    }
  }

  void write(MemorySegment attributes, MemorySegment sent, MemorySegment received) {
    attributes.set(
        ADDRESS, ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "send_cq"), sent);
    attributes.set(
        ADDRESS, ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "recv_cq"), received);
    set(attributes, "max_send_wr", sends);
    set(attributes, "max_recv_wr", receives);
    set(attributes, "max_send_sge", 1);
    set(attributes, "max_recv_sge", 1);
    set(attributes, "max_inline_data", inline);
    attributes.set(
        JAVA_INT,
        ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "qp_type"),
        VerbsConstants.QPT_RC);
  }

  /** The capacity that the driver granted: at least the requested one. */
  static QueueSizes read(MemorySegment attributes) {
    return new QueueSizes(
        get(attributes, "max_send_wr"),
        get(attributes, "max_recv_wr"),
        get(attributes, "max_inline_data"));
  }

  private static void set(MemorySegment attributes, String field, int value) {
    attributes.set(
        JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "cap", field), value);
  }

  private static int get(MemorySegment attributes, String field) {
    return attributes.get(
        JAVA_INT, ControlPathLayouts.at(ControlPathLayouts.QP_INIT_ATTR, "cap", field));
  }
}
