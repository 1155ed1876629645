package dev.oriel.sim.machine;

import dev.oriel.ports.MachineException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What hardware is assumed: strict where a program must hold anywhere, milder where a machine is
 * known to keep more order.
 *
 * @param visibility who sees what a network interface wrote into a GPU's memory
 * @param loose whether writes of one queue may be placed in any order, words excepted
 * @param fused whether what has completed is placed
 * @param ordered whether every access is ordered as it happens: one total order, no races
 * @param interfaces network interfaces of a rank; queue k of a rank's lane l uses (k + l) %
 *     interfaces
 * @param depth requests that a queue holds
 * @param resident lanes of a rank that run at once; 0 for all
 * @param whole whether an interface places each write from its first byte to its last, so that who
 *     acquires a word of it stands behind the bytes before
 * @param platform whether GPUs and interfaces change words atomically with one another
 * @param proxy whether lanes hand their requests to a thread of the host, which posts them
 * @param torn whether mapped links take a line of 128 bytes apart, into the stores of 16 bytes that
 *     it is written by
 */
public record Profile(
    String name,
    Visibility visibility,
    boolean loose,
    boolean fused,
    boolean ordered,
    int interfaces,
    int depth,
    int resident,
    boolean whole,
    boolean platform,
    boolean proxy,
    boolean torn) {

  /** Who sees what a network interface wrote without a further step. */
  public enum Visibility {
    /** Nobody. */
    NONE,
    /** The GPU that owns the memory. */
    OWNER,
    /** Every GPU. */
    ALL
  }

  /** One total order. */
  public static final Profile L0 = layer("L0", Visibility.ALL, false, true, true, 1);

  /** Queues in order, visible at once; scopes and releases matter. */
  public static final Profile L1 = layer("L1", Visibility.ALL, false, true, false, 1);

  /** Scopes, four-stage requests, visible to the owner. */
  public static final Profile L2 = layer("L2", Visibility.OWNER, false, false, false, 1);

  /**
   * As L2 with two interfaces a rank, writes of a queue and the parts of a 128-byte line in any
   * order, visible to nobody before a consistency step.
   */
  public static final Profile L3 = layer("L3", Visibility.NONE, true, false, false, 2);

  /** Ordered queues whose writes nobody sees before a consistency step. */
  public static final Profile RDMA_STRICT =
      layer("rdma-strict", Visibility.NONE, false, false, false, 1);

  /** Two interfaces a rank. */
  public static final Profile RDMA_MULTIRAIL =
      layer("rdma-multirail", Visibility.OWNER, false, false, false, 2);

  /** H200 with NVLink: requests as L2. */
  public static final Profile NVLINK_H200 =
      layer("nvlink-h200", Visibility.OWNER, false, false, false, 1);

  private static Profile layer(
      String name,
      Visibility visibility,
      boolean loose,
      boolean fused,
      boolean ordered,
      int interfaces) {
    return new Profile(
        name, visibility, loose, fused, ordered, interfaces, 1024, 0, false, false, false, false);
  }

  /** Every named profile: the layers from most to least order, then machines. */
  public static final List<Profile> NAMED =
      List.of(L0, L1, L2, L3, NVLINK_H200, RDMA_STRICT, RDMA_MULTIRAIL);

  private static final Set<String> SWITCHES = Set.of("whole", "platform", "proxy", "torn");

  /**
   * The profile of that name, with changes after commas: {@code L2,resident=2,depth=4}.
   *
   * @throws MachineException naming what is known
   */
  public static Profile parse(String text) {
    String[] parts = text.split(",", -1);
    Profile profile =
        NAMED.stream()
            .filter(p -> p.name.equalsIgnoreCase(parts[0]))
            .findFirst()
            .orElseThrow(() -> unknown(text));
    for (String change : Arrays.copyOfRange(parts, 1, parts.length)) {
      profile = profile.with(change, text);
    }
    return profile;
  }

  private Profile with(String change, String text) {
    int equals = change.indexOf('=');
    int value = -1;
    try {
      value = Integer.parseInt(change.substring(equals + 1));
    } catch (NumberFormatException e) {
      throw unknown(text);
    }
    if (value < (change.startsWith("resident") ? 0 : 1) || value > 1 << 20) {
      throw unknown(text);
    }
    String as = name + "," + change;
    String what = change.substring(0, Math.max(0, equals));
    if (SWITCHES.contains(what) && value != 1) {
      throw unknown(text);
    }
    return switch (what) {
      case "interfaces" -> with(as, value, depth, resident, whole, platform, proxy, torn);
      case "depth" -> with(as, interfaces, value, resident, whole, platform, proxy, torn);
      case "resident" -> with(as, interfaces, depth, value, whole, platform, proxy, torn);
      case "whole" -> with(as, interfaces, depth, resident, true, platform, proxy, torn);
      case "platform" -> with(as, interfaces, depth, resident, whole, true, proxy, torn);
      case "proxy" -> with(as, interfaces, depth, resident, whole, platform, true, torn);
      case "torn" -> with(as, interfaces, depth, resident, whole, platform, proxy, true);
      default -> throw unknown(text);
    };
  }

  private Profile with(
      String as,
      int queues,
      int requests,
      int lanes,
      boolean inOrder,
      boolean atomic,
      boolean handed,
      boolean apart) {
    return new Profile(
        as,
        visibility,
        loose,
        fused,
        ordered,
        queues,
        requests,
        lanes,
        inOrder,
        atomic,
        handed,
        apart);
  }

  /** The same with endless queues, all lanes at once. */
  public static Profile unlimited(Profile like) {
    return new Profile(
        like.name,
        like.visibility,
        like.loose,
        like.fused,
        like.ordered,
        like.interfaces,
        Math.max(like.depth, L2.depth),
        0,
        like.whole,
        like.platform,
        like.proxy,
        like.torn);
  }

  private static MachineException unknown(String text) {
    return new MachineException(
        "unknown profile: profile=%s; use %s, with ,interfaces=N ,depth=N ,resident=N ,whole=1 ,platform=1 ,proxy=1 ,torn=1 behind it"
            .formatted(text, NAMED.stream().map(Profile::name).collect(Collectors.joining(", "))));
  }
}
