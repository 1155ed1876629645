package dev.oriel.sim.machine.settings;

import dev.oriel.ports.MachineException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The guarantees of hardware that a check assumes. They are weak for programs that must hold
 * anywhere, and stronger for a machine that is known to keep more order.
 *
 * @param visibility which agents see what a network interface wrote into a GPU's memory
 * @param interfaces network interfaces of a rank; queue k of a rank's lane l uses (k + l) %
 *     interfaces
 * @param depth requests that a queue holds
 * @param resident thread blocks of a rank that run at once; 0 for all
 */
public record Profile(
    String name,
    Visibility visibility,
    Set<Trait> traits,
    int interfaces,
    int depth,
    int resident) {

  /** An order that a machine keeps or gives up, besides the common ones. */
  public enum Trait {
    /** Writes of one queue may be placed in any order, words excepted. */
    RELAXED_ORDERING,
    /** A completed request is placed. */
    FUSED,
    /** Every access is ordered as it happens: one total order, no races. */
    ORDERED,
    /**
     * An interface places each write from its first byte to its last. So an agent that acquires a
     * word of it is ordered after the bytes before that word.
     */
    WHOLE,
    /** Atomics of GPUs and interfaces are atomic with one another. */
    PLATFORM,
    /** Lanes hand their requests to a host thread, which posts them. */
    PROXY,
    /** Mapped links split a line of 128 bytes into the stores of 16 bytes that write it. */
    TORN,
    /**
     * A store of 16 aligned bytes by one thread is atomic: an agent that acquires a word of it has
     * all of it. PTX guarantees this for each word of a vector only, so no named profile includes
     * it.
     */
    CELLS,
    /** Where not all lanes of a rank are resident, they begin in any order. */
    ANY_START
  }

  /** Which agents see what a network interface wrote without a further step. */
  public enum Visibility {
    /** No agent. */
    NONE,
    /** The GPU that owns the memory. */
    OWNER,
    /** Every GPU. */
    ALL
  }

  private static final int DEPTH = 1024;

  /** A number as a token holds it, without signs and without digits of other scripts. */
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,6}");

  private static final int MAX_NUMBER = 1 << 20;

  /** One total order. */
  public static final Profile L0 =
      new Profile("L0", Visibility.ALL, EnumSet.of(Trait.FUSED, Trait.ORDERED), 1, DEPTH, 0);

  /** Queues are in order and visible at once; scopes and releases matter. */
  public static final Profile L1 =
      new Profile("L1", Visibility.ALL, EnumSet.of(Trait.FUSED), 1, DEPTH, 0);

  /** Scopes, four-stage requests, visible to the owner. */
  public static final Profile L2 = plain("L2", Visibility.OWNER, 1);

  /**
   * Like L2, with two interfaces a rank. Writes of a queue and the parts of a 128-byte line arrive
   * in any order. No agent sees them before a step that makes them visible.
   */
  public static final Profile L3 =
      new Profile("L3", Visibility.NONE, EnumSet.of(Trait.RELAXED_ORDERING), 2, DEPTH, 0);

  /** Ordered queues; no agent sees their writes before a step that makes them visible. */
  public static final Profile RDMA_STRICT = plain("rdma-strict", Visibility.NONE, 1);

  /** Two interfaces a rank. */
  public static final Profile RDMA_MULTIRAIL = plain("rdma-multirail", Visibility.OWNER, 2);

  /** H200 with NVLink: requests as L2. */
  public static final Profile NVLINK_H200 = plain("nvlink-h200", Visibility.OWNER, 1);

  private static Profile plain(String name, Visibility visibility, int interfaces) {
    return new Profile(name, visibility, EnumSet.noneOf(Trait.class), interfaces, DEPTH, 0);
  }

  /** Every named profile: the layers from most to least order, then machines. */
  public static final List<Profile> NAMED =
      List.of(L0, L1, L2, L3, NVLINK_H200, RDMA_STRICT, RDMA_MULTIRAIL);

  private static final Set<String> NUMBERS = Set.of("interfaces", "depth", "resident");

  /** Switches that may follow a name. */
  private static final Map<String, Trait> SWITCHES =
      Map.of(
          "whole", Trait.WHOLE,
          "platform", Trait.PLATFORM,
          "proxy", Trait.PROXY,
          "torn", Trait.TORN,
          "cells", Trait.CELLS,
          "anystart", Trait.ANY_START);

  private static final String CHANGES =
      ",interfaces=N ,depth=N ,resident=N ,whole=1 ,platform=1 ,proxy=1 ,torn=1 ,cells=1 ,anystart=1";

  public Profile {
    EnumSet<Trait> copy = EnumSet.noneOf(Trait.class);
    copy.addAll(traits);
    traits = Collections.unmodifiableSet(copy);
  }

  public boolean relaxedOrdering() {
    return traits.contains(Trait.RELAXED_ORDERING);
  }

  public boolean fused() {
    return traits.contains(Trait.FUSED);
  }

  public boolean ordered() {
    return traits.contains(Trait.ORDERED);
  }

  public boolean whole() {
    return traits.contains(Trait.WHOLE);
  }

  public boolean platform() {
    return traits.contains(Trait.PLATFORM);
  }

  public boolean proxy() {
    return traits.contains(Trait.PROXY);
  }

  public boolean torn() {
    return traits.contains(Trait.TORN);
  }

  public boolean cells() {
    return traits.contains(Trait.CELLS);
  }

  public boolean anyStart() {
    return traits.contains(Trait.ANY_START);
  }

  /**
   * The profile of that name, with changes after commas: {@code L2,resident=2,depth=4}.
   *
   * @throws MachineException naming the known profiles, or the wrong change and its range
   */
  public static Profile parse(String text) {
    String[] parts = text.split(",", -1);
    Profile profile =
        NAMED.stream()
            .filter(p -> p.name.equalsIgnoreCase(parts[0]))
            .findFirst()
            .orElseThrow(() -> unknown(text));
    Set<String> changed = new HashSet<>();
    for (String change : Arrays.copyOfRange(parts, 1, parts.length)) {
      int sign = change.indexOf('=');
      String what = sign < 0 ? change : change.substring(0, sign);
      if (!NUMBERS.contains(what) && !SWITCHES.containsKey(what)) {
        throw new MachineException(
            "unknown change of a profile: profile=%s, change='%s'; use %s"
                .formatted(text, change, CHANGES));
      }
      if (!changed.add(what)) {
        throw new MachineException(
            "change of a profile given twice: profile=%s, change='%s'; give each once at most"
                .formatted(text, change));
      }
      String value = sign < 0 ? "" : change.substring(sign + 1);
      profile = profile.with(what, value, text);
    }
    return profile;
  }

  /** Whether a reader of a rank's memory may miss a write of an interface of that rank. */
  public boolean hides() {
    return visibility == Visibility.NONE || (visibility == Visibility.OWNER && interfaces > 1);
  }

  /** The same profile with all lanes of a rank running at once. */
  public Profile allResident() {
    return new Profile(name, visibility, traits, interfaces, depth, 0);
  }

  private Profile with(String what, String written, String text) {
    Trait trait = SWITCHES.get(what);
    int least = what.equals("resident") ? 0 : 1;
    int most = trait == null ? MAX_NUMBER : 1;
    int value = NUMBER.matcher(written).matches() ? Integer.parseInt(written) : -1;
    if (value < least || value > most) {
      throw new MachineException(
          "change of a profile out of range: profile=%s, change='%s=%s', min=%d, max=%d; write plain digits in between"
              .formatted(text, what, written, least, most));
    }
    String as = name + "," + what + "=" + value;
    if (trait != null) {
      Set<Trait> more = EnumSet.of(trait);
      more.addAll(traits);
      return new Profile(as, visibility, more, interfaces, depth, resident);
    }
    return switch (what) {
      case "interfaces" -> new Profile(as, visibility, traits, value, depth, resident);
      case "depth" -> new Profile(as, visibility, traits, interfaces, value, resident);
      case "resident" -> new Profile(as, visibility, traits, interfaces, depth, value);
      default -> throw new AssertionError(what);
    };
  }

  /** The same profile with unlimited queues and all lanes running at once. */
  public static Profile unlimited(Profile like) {
    int depth = Math.max(like.depth, DEPTH);
    return new Profile(like.name, like.visibility, like.traits, like.interfaces, depth, 0);
  }

  private static MachineException unknown(String text) {
    return new MachineException(
        "unknown profile: profile=%s; use %s, followed by %s, each once at most"
            .formatted(
                text,
                NAMED.stream().map(Profile::name).collect(Collectors.joining(", ")),
                CHANGES));
  }
}
