package dev.oriel.ibverbs.verbs;

/** Linux error numbers that verbs calls return, by name. */
final class Errno {
  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EAGAIN = 11;
  static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int EFAULT = 14;
  static final int EBUSY = 16;
  static final int ENODEV = 19;
  static final int EINVAL = 22;
  static final int EMFILE = 24;
  static final int ENOSPC = 28;
  static final int ENOSYS = 38;
  static final int EOPNOTSUPP = 95;
  static final int ENETUNREACH = 101;
  static final int ETIMEDOUT = 110;

  private Errno() {}

  static String name(int errno) {
    return switch (errno) {
      case EPERM -> "EPERM";
      case ENOENT -> "ENOENT";
      case EAGAIN -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case EACCES -> "EACCES";
      case EFAULT -> "EFAULT";
      case EBUSY -> "EBUSY";
      case ENODEV -> "ENODEV";
      case EINVAL -> "EINVAL";
      case EMFILE -> "EMFILE";
      case ENOSPC -> "ENOSPC";
      case ENOSYS -> "ENOSYS";
      case EOPNOTSUPP -> "EOPNOTSUPP";
      case ENETUNREACH -> "ENETUNREACH";
      case ETIMEDOUT -> "ETIMEDOUT";
      default -> "errno " + errno;
    };
  }

  /** The remedy, for any call. */
  static String remedy(int errno) {
    return switch (errno) {
      case EPERM, EACCES ->
          "give this user access to /dev/infiniband/uverbs*, in a container pass these devices";
      case ENOMEM -> "raise the limit on locked memory (ulimit -l, LimitMEMLOCK=), or ask for less";
      case EMFILE -> "raise the limit on open files (ulimit -n)";
      case ENODEV, ENOENT -> "load the driver of the network interface, see rdma link";
      case ENOSPC, EBUSY -> "free other queues and registrations of this device";
      case ENOSYS, EOPNOTSUPP -> "use another device: this one lacks the operation";
      case ENETUNREACH, ETIMEDOUT -> "see that the peer's address is reachable from this port";
      default -> "see the arguments above and the kernel's log";
    };
  }
}
