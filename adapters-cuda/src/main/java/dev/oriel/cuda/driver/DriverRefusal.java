package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;

/** Describes a refusal by the driver, with a remedy. */
final class DriverRefusal {
  private DriverRefusal() {}

  /**
   * The message for the user.
   *
   * @param facts the request, and its GPU
   * @param reason the driver's name for the error
   */
  static MachineException of(String facts, String reason) {
    String message = "CUDA refused: %s, reason=%s; %s".formatted(facts, reason, remedy(reason));
    return ofHost(reason) ? MachineException.lacking(message) : new MachineException(message);
  }

  /** Whether the reason means that this host, in its present state, can run nothing on that GPU. */
  private static boolean ofHost(String reason) {
    return switch (reason) {
      case "CUDA_ERROR_NO_DEVICE",
          "CUDA_ERROR_DEVICE_UNAVAILABLE",
          "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
          "CUDA_ERROR_SYSTEM_NOT_READY",
          "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
          "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
          "CUDA_ERROR_TOO_MANY_PEERS",
          "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" ->
          true;
      default -> false;
    };
  }

  private static String remedy(String reason) {
    if (reason.contains("STREAM_CAPTURE")) {
      return "capture a stream made with CU_STREAM_NON_BLOCKING, in mode CU_STREAM_CAPTURE_MODE_RELAXED";
    }
    return switch (reason) {
      case "CUDA_ERROR_OUT_OF_MEMORY" ->
          "use smaller sizes, or end other processes that hold memory of that GPU (nvidia-smi)";
      case "CUDA_ERROR_NO_DEVICE" -> "check CUDA_VISIBLE_DEVICES, and nvidia-smi";
      case "CUDA_ERROR_DEVICE_UNAVAILABLE" ->
          "another process has the GPU for itself: end it (nvidia-smi), or allow several (nvidia-smi -c DEFAULT)";
      case "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" ->
          "the driver's library and its kernel module are of different versions: reload the module, or reboot";
      case "CUDA_ERROR_SYSTEM_NOT_READY" -> "start the fabric manager, and wait until it is ready";
      case "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "CUDA_ERROR_TOO_MANY_PEERS" ->
          "use GPUs that reach each other (nvidia-smi topo -m)";
      case "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE" ->
          "install a newer driver";
      default -> "see the driver's documentation of that reason";
    };
  }
}
