package dev.oriel.sim.machine.settings;

/**
 * An edge that a program might lack, from cheap to dear. A machine that supplies an edge everywhere
 * shows whether it would order the unordered accesses.
 */
public enum OrderRemedy {
  /** The program as it is. */
  NONE(""),
  /** A barrier of the lane's threads follows every move, load and store. */
  SYNC("a sync between the lane's own operations (a quiet, if the first is a put, get or atomic)"),
  /** A unit's copy is ordered after all that its lane is ordered after. */
  BULK_ORDER("an order bulk between what threads did and the bulk copy"),
  /** Two names of the same memory are one. */
  ALIAS_ORDER("an order alias between accesses by two names of the same memory"),
  /** A bulk copy has ended when its lane continues. */
  BULK_END("an await bulk before the lane uses the memory again or signals others"),
  /** Every await acquires. */
  ACQUIRE("acquire in place of relaxed at the await in between"),
  /** Every signal releases. */
  RELEASE("release in place of relaxed at the signal in between"),
  /** A fence follows every read of a word, for what it observed. */
  ORDER_AFTER("acquire at the read of the word in between, or an order sys after it"),
  /** A fence precedes every change of a word, for what the lane did or acquired before. */
  ORDER_BEFORE(
      "an order sys before the change of the word in between, or release there (not of an atomic)"),
  /** One fence does both: the lane passes on what it observed. */
  ORDER_BETWEEN("an order sys after the read of a word in between, before the lane signals others"),
  /** Every access reaches every agent. */
  SCOPE("sys scope at the signal and the await in between"),
  /** A lane continues, except to post more requests, when its requests have completed. */
  COMPLETION(
      "a flush of the peer, local, or a quiet, before the lane ends or uses the memory again",
      "a quiet %s before the lane ends or uses the memory again"),
  /** Every agent sees the writes that interfaces placed. */
  CONSISTENCY("a consistency step, which an acquiring await makes, before the other reads"),
  /** Placements of a context are in order, as after a fence; its reads are not. */
  ARRANGED(
      "a fence after the put or atomic, before the lane's next call or signal",
      "a fence %s after the put or atomic, before the lane's next call or signal"),
  /** A lane continues when its requests have completed, and completed requests are placed. */
  PLACEMENT(
      "a flush of the peer, remote, or a quiet, before others are signalled or the lane continues",
      "a quiet %s before others are signalled or the lane continues");

  private final String advice;
  private final String named;

  OrderRemedy(String advice) {
    this(advice, advice);
  }

  /** A remedy that is reported with the name of a context, unless it is the first. */
  OrderRemedy(String advice, String named) {
    this.advice = advice;
    this.named = named;
  }

  /** Whether it concerns one context, or every one. */
  public boolean ofContexts() {
    return this == COMPLETION || this == ARRANGED || this == PLACEMENT;
  }

  /**
   * Whether it adds a fence at every word, even where another edge is missing: it counts as a
   * whole.
   */
  public boolean isFence() {
    return this == ORDER_AFTER || this == ORDER_BEFORE || this == ORDER_BETWEEN;
  }

  /** The change of the program, in words; {@code context} is the context of the calls concerned. */
  String advice(int context) {
    return switch (context) {
      case 0 -> advice;
      case SuppliedOrder.EVERY -> named.formatted("of every context");
      default -> named.formatted("via " + context);
    };
  }
}
