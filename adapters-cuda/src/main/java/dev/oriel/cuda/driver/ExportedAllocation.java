package dev.oriel.cuda.driver;

import dev.oriel.domain.registration.MemoryKind;
import java.util.List;

/**
 * The data by which another process maps an allocation.
 *
 * @param handle bytes of the driver, or lengths of pieces; as its kind needs
 * @param files open files, closed with this object
 */
@SuppressWarnings("ArrayRecordComponent") // a message, never compared
public record ExportedAllocation(MemoryKind kind, byte[] handle, List<OpenDescriptor> files)
    implements AutoCloseable {
  /** The most files of an allocation. */
  public static final int MAX_FILES = 128;

  /** The most bytes of a handle: the length of each piece. */
  public static final int MAX_HANDLE = MAX_FILES * Long.BYTES;

  public ExportedAllocation {
    files = List.copyOf(files);
  }

  @Override
  public void close() {
    files.forEach(OpenDescriptor::close);
  }
}
