package dev.oriel.sim.machine;

/**
 * The check of every access against all earlier ones of the same bytes: byte intervals, the last
 * write and all reads since. Intervals are split where an access begins or ends, and never joined,
 * so that the order of independent accesses does not show in a state.
 */
final class Shadow {
  private final Model model;
  private final Agents agents;
  private final Remedy remedy;
  private final int[] first;
  private final int reads;
  private final int fields;
  private final int[] queueOfFetch;

  /** What the last access found unordered: component, tick, whether it wrote, at which byte. */
  int otherComponent;

  int otherTick;
  boolean otherWrote;
  int otherByte;

  Shadow(Model model, Remedy remedy) {
    this.remedy = remedy;
    this.model = model;
    agents = model.agents;
    reads = ShadowTable.reads(model);
    fields = ShadowTable.FIELDS + 2 * reads;
    first = model.firstShadow;
    queueOfFetch = Model.filled(agents.components, -1);
    for (int q = 0; q < agents.queues; q++) {
      queueOfFetch[agents.fetch[q]] = q;
    }
  }

  /**
   * Notes an access and checks it.
   *
   * @param memory rank * buffers + buffer
   * @param seen where in {@link State#seen} it is what the accessing agent stands behind
   * @param strong whether it synchronises: two such accesses never race
   * @return whether every earlier access of these bytes that conflicts is ordered before it
   */
  boolean access(
      State s,
      int component,
      int memory,
      int from,
      int length,
      boolean write,
      boolean strong,
      int seen) {
    if (length == 0) {
      return true;
    }
    int[] shadow = s.shadow;
    int base = first[memory];
    int begin = split(s, memory, from);
    int end = split(s, memory, from + length);
    int tick = s.clocks[component * agents.components + component] << 1 | (strong ? 1 : 0);
    boolean clean = true;
    for (int i = begin; i < end; i++) {
      int at = base + 1 + i * fields;
      int writer = shadow[at + 1];
      if (clean && writer >= 0 && !ordered(s, writer, shadow[at + 2], component, tick, -1)) {
        clean = found(writer, shadow[at + 2], true, Math.max(from, shadow[at]));
      }
      if (write) {
        for (int r = 0, p = at + ShadowTable.FIELDS; clean && r < shadow[at + 3]; r++, p += 2) {
          if (!ordered(s, shadow[p], shadow[p + 1], component, tick, seen)) {
            clean = found(shadow[p], shadow[p + 1], false, Math.max(from, shadow[at]));
          }
        }
        for (int p = at + ShadowTable.FIELDS; p < at + fields; p++) {
          shadow[p] = 0;
        }
        shadow[at + 1] = component;
        shadow[at + 2] = tick;
        shadow[at + 3] = 0;
      } else {
        noteRead(shadow, at, component, tick);
      }
    }
    return clean;
  }

  private boolean found(int component, int tick, boolean wrote, int at) {
    otherComponent = component;
    otherTick = tick >> 1;
    otherWrote = wrote;
    otherByte = at;
    return false;
  }

  private boolean ordered(State s, int other, int then, int component, int tick, int seen) {
    if (other == component) {
      return then >> 1 <= s.settled[component] || then >> 1 == tick >> 1 || (then & tick & 1) == 1;
    }
    int twin = agents.placed[other] && hidden(other, component) ? other + 1 : other;
    int known = s.clocks[component * agents.components + twin];
    if (then >> 1 <= known || (then & tick & 1) == 1) {
      return true;
    }
    int queue = queueOfFetch[other];
    return seen >= 0
        && queue >= 0
        && s.seen[seen + SeenRows.queueColumn(model, queue)] >= then >> 1;
  }

  /** Whether the component does not see by itself what the other one, an interface's, placed. */
  private boolean hidden(int other, int component) {
    if (remedy == Remedy.CONSISTENCY) {
      return false;
    }
    boolean here = agents.rankOf[component] == agents.rankOf[other];
    return switch (model.profile.visibility()) {
      case ALL -> false;
      case OWNER, NONE -> {
        int through = agents.interfaceOf[component];
        yield through >= 0
            ? !here || through != agents.interfaceOf[other]
            : !here || model.profile.visibility() == Profile.Visibility.NONE;
      }
    };
  }

  /** Reads stand in the order of their components, one each: the last one says most. */
  private void noteRead(int[] shadow, int at, int component, int tick) {
    int count = shadow[at + 3];
    int p = at + ShadowTable.FIELDS;
    int end = p + 2 * count;
    while (p < end && shadow[p] < component) {
      p += 2;
    }
    if (p < end && shadow[p] == component) {
      // A synchronising read says less than a plain one of the same tick.
      if (shadow[p + 1] >> 1 < tick >> 1 || (tick & 1) == 0) {
        shadow[p + 1] = tick;
      }
      return;
    }
    if (count == reads) {
      throw model.sizes.grow("reads of an interval", reads + 1);
    }
    System.arraycopy(shadow, p, shadow, p + 2, end - p);
    shadow[p] = component;
    shadow[p + 1] = tick;
    shadow[at + 3]++;
  }

  /** The number of the interval that starts at {@code at}, split off if need be. */
  private int split(State s, int memory, int at) {
    int[] shadow = s.shadow;
    int base = first[memory];
    int count = shadow[base];
    if (at >= model.bytes[memory]) {
      return count;
    }
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (shadow[base + 1 + middle * fields] <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    int interval = base + 1 + low * fields;
    if (shadow[interval] == at) {
      return low;
    }
    if (base + 1 + (count + 1) * fields > first[memory + 1]) {
      throw model.sizes.grow(ShadowTable.part(model, memory), count + 1);
    }
    System.arraycopy(shadow, interval, shadow, interval + fields, (count - low) * fields);
    shadow[interval + fields] = at;
    shadow[base]++;
    return low + 1;
  }
}
