package dev.oriel.domain.registration;

import java.util.Optional;

/** The way in which an application's memory was made, and whether GPUs of peers can map it. */
public enum MemoryKind {
  /** Memory of a GPU from {@code cuMemAlloc}: a handle of the driver names it. */
  ALLOCATED(""),
  /**
   * Memory of a GPU from {@code cuMemCreate} with a file as its shareable handle. A buffer of it
   * may consist of several pieces that were mapped one after the other.
   */
  MAPPED(""),
  /** Memory of a GPU from a stream-ordered pool with a file as its shareable handle. */
  POOLED(""),
  /** Memory of a GPU from {@code cuMemCreate} without such a handle. */
  PRIVATE_MAPPED(
      "it was created without a shareable handle; create it with CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, or with cuMemAlloc (PyTorch: without expandable_segments)"),
  /** Memory of a GPU from a pool without such a handle, for example the default pool. */
  PRIVATE_POOLED(
      "its pool has no shareable handle; make a pool with CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, or use cuMemAlloc (PyTorch: without backend:cudaMallocAsync)"),
  /** Memory that the driver moves between the host and GPUs. */
  MANAGED("the driver moves it between the host and GPUs; use memory of the GPU, from cuMemAlloc"),
  /** Memory of the host. */
  HOST("it is memory of the host; use memory of the GPU, or ranks that reach each other over RDMA");

  private final String obstacle;

  MemoryKind(String obstacle) {
    this.obstacle = obstacle;
  }

  /** Why peers cannot map it, with the remedy after a semicolon; empty if they can. */
  public Optional<String> obstacle() {
    return obstacle.isEmpty() ? Optional.empty() : Optional.of(obstacle);
  }
}
