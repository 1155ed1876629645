package dev.oriel.bootstrap;

/**
 * Says which frames may come next on a connection and how long they may be. It is asked before
 * anything is allocated.
 */
@FunctionalInterface
interface FrameLimits {
  int NOT_ALLOWED = -1;

  /** The most bytes that the body of a frame of this kind may have, or {@link #NOT_ALLOWED}. */
  int maxBody(FrameKind kind);

  /** Limits for rank 0 reading from a stranger: one small frame of one kind. */
  static FrameLimits only(FrameKind expected, int maxBody) {
    return kind -> kind == expected ? maxBody : NOT_ALLOWED;
  }

  /** Limits for a member reading before rank 0 has proved itself. */
  static FrameLimits joining(FrameKind expected, int maxBody) {
    return kind ->
        kind == expected
            ? maxBody
            : switch (kind) {
              case REFUSED, LATER -> FrameKind.MAX_REASON_BYTES;
              default -> NOT_ALLOWED;
            };
  }

  /** Limits for rank 0 reading from a member. */
  static FrameLimits fromMember(int contributionLimit) {
    return kind ->
        switch (kind) {
          case CONTRIBUTION ->
              Math.max(ContributionLimits.LEAST, contributionLimit) + Contribution.OVERHEAD;
          case LEAVE -> FrameKind.MAX_REASON_BYTES;
          default -> NOT_ALLOWED;
        };
  }

  /** Limits for a member reading from rank 0 after it has joined. */
  static FrameLimits fromRoot(int world, int contributionLimit) {
    long result = (long) world * (contributionLimit + 4L + Contribution.OVERHEAD);
    return kind ->
        switch (kind) {
          case READY -> 0;
          case RESULT -> Math.toIntExact(Math.min(Integer.MAX_VALUE - 1024, result));
          case FAILURE -> FailureRecord.MAX_BYTES;
          case LEAVE -> FrameKind.MAX_REASON_BYTES;
          default -> NOT_ALLOWED;
        };
  }
}
