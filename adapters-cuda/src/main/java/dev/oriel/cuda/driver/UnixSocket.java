package dev.oriel.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A socket between processes of one host that carries whole messages, and open files with them.
 *
 * <p>Its names are abstract ones: they leave no file, and end with the process. No call blocks.
 *
 * <pre>
 * sockaddr_un  family 2 | 0, name
 * msghdr       name 8 | its length 4, pad 4 | iov 8 | count 8 | control 8 | its length 8 | flags 4, pad 4
 * iovec        base 8 | length 8
 * cmsghdr      length 8 | level 4 | type 4 | descriptors, 4 each
 * pollfd       descriptor 4 | events 2 | returned 2
 * </pre>
 */
public final class UnixSocket implements AutoCloseable {
  /** The most bytes of a message. */
  public static final int MAX_BYTES = 4096;

  /** The most open files of a message. */
  public static final int MAX_FILES = 4;

  private static final int AF_UNIX = 1;
  private static final int SEQPACKET = 5;
  private static final int NONBLOCK_CLOEXEC = 0x800 | 0x80000;
  private static final int SOL_SOCKET = 1;
  private static final int SCM_RIGHTS = 1;
  private static final int SO_PEERCRED = 17;
  private static final int NO_SIGNAL = 0x4000;
  private static final int CMSG_CLOEXEC = 0x40000000;
  private static final int CUT = 0x20 | 0x8;
  private static final int POLLIN = 1;

  private static final int NAME_AT = 3;
  private static final int MESSAGE_BYTES = 56;
  private static final int HEADER_BYTES = 16;
  private static final int POLL_BYTES = 8;

  private final OpenDescriptor descriptor;

  private UnixSocket(OpenDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** The result of a receive. */
  public sealed interface Received {
    /** A message; the receiver closes its files. */
    @SuppressWarnings("ArrayRecordComponent") // made for one reader only
    record Message(byte[] bytes, List<OpenDescriptor> files) implements Received {}

    /** No message yet. */
    record Nothing() implements Received {}

    /** The other end is closed, or its process ended; no message will follow. */
    record End() implements Received {}
  }

  /** A listening socket of that name. */
  public static UnixSocket listen(String name, int waiting) {
    UnixSocket socket = open();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = address(arena, name);
      Libc.BIND.demand("name=" + name, socket.number(), address, (int) address.byteSize());
      Libc.LISTEN.demand("name=" + name, socket.number(), waiting);
      return socket;
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * A socket connected to the one of that name.
   *
   * @throws MachineException if no process listens there, or too many connections are pending
   */
  public static UnixSocket connect(String name) {
    UnixSocket socket = open();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = address(arena, name);
      Libc.CONNECT.demand("name=" + name, socket.number(), address, (int) address.byteSize());
      return socket;
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static UnixSocket open() {
    int number = Libc.SOCKET.demand("family=unix", AF_UNIX, SEQPACKET | NONBLOCK_CLOEXEC, 0);
    return new UnixSocket(new OpenDescriptor(number));
  }

  private static MemorySegment address(Arena arena, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    MemorySegment address = arena.allocate((long) NAME_AT + bytes.length, Short.BYTES);
    address.set(JAVA_SHORT, 0, (short) AF_UNIX);
    MemorySegment.copy(bytes, 0, address, JAVA_BYTE, NAME_AT, bytes.length);
    return address;
  }

  /** The next pending connection to this listening socket, if any. */
  public Optional<UnixSocket> accept() {
    long number =
        Libc.ACCEPT.call(number(), MemorySegment.NULL, MemorySegment.NULL, NONBLOCK_CLOEXEC);
    if (number == -Libc.EAGAIN) {
      return Optional.empty();
    }
    if (number < 0) {
      throw Libc.ACCEPT.refused("socket=" + number(), (int) -number);
    }
    return Optional.of(new UnixSocket(new OpenDescriptor((int) number)));
  }

  /** Whether the process at the other end runs as the same user. */
  public boolean ofThisUser() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(JAVA_INT, 3);
      MemorySegment length = arena.allocateFrom(JAVA_INT, (int) credentials.byteSize());
      Libc.GET_OPTION.demand("option=peer", number(), SOL_SOCKET, SO_PEERCRED, credentials, length);
      return credentials.getAtIndex(JAVA_INT, 1) == (int) Libc.USER.call();
    }
  }

  /**
   * Sends a message with open files, which stay the caller's.
   *
   * @return whether there was room; also false if the other end is gone, which {@link #receive}
   *     reports
   */
  public boolean send(byte[] bytes, OpenDescriptor... files) {
    if (bytes.length == 0 || bytes.length > MAX_BYTES || files.length > MAX_FILES) {
      throw new IllegalArgumentException(
          "message does not fit: bytes=%d, max=%d, files=%d, max=%d; send less at once"
              .formatted(bytes.length, MAX_BYTES, files.length, MAX_FILES));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(controlBytes(files.length), Long.BYTES);
      if (files.length > 0) {
        control.set(JAVA_LONG, 0, HEADER_BYTES + (long) files.length * Integer.BYTES);
        control.set(JAVA_INT, 8, SOL_SOCKET);
        control.set(JAVA_INT, 12, SCM_RIGHTS);
        for (int i = 0; i < files.length; i++) {
          control.set(JAVA_INT, HEADER_BYTES + (long) i * Integer.BYTES, files[i].number());
        }
      }
      MemorySegment message =
          message(arena, arena.allocateFrom(JAVA_BYTE, bytes), files.length == 0 ? null : control);
      long sent = Libc.SEND.call(number(), message, NO_SIGNAL);
      if (sent == -Libc.EAGAIN || sent == -Libc.EPIPE || sent == -Libc.ECONNRESET) {
        return false;
      }
      if (sent < 0) {
        throw Libc.SEND.refused("bytes=" + bytes.length, (int) -sent);
      }
      return true;
    }
  }

  /** The next message, if any. */
  public Received receive() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(MAX_BYTES);
      MemorySegment control = arena.allocate(controlBytes(MAX_FILES), Long.BYTES);
      MemorySegment message = message(arena, bytes, control);
      long length = Libc.RECEIVE.call(number(), message, CMSG_CLOEXEC);
      if (length == -Libc.ECONNRESET) {
        // The other end closed without having read all of our messages; its own still arrive.
        length = Libc.RECEIVE.call(number(), message, CMSG_CLOEXEC);
      }
      if (length == -Libc.EAGAIN) {
        return new Received.Nothing();
      }
      if (length < 0) {
        throw Libc.RECEIVE.refused("socket=" + number(), (int) -length);
      }
      List<OpenDescriptor> files = files(control, message.get(JAVA_LONG, 40));
      if (length == 0) {
        return new Received.End();
      }
      if ((message.get(JAVA_INT, 48) & CUT) != 0) {
        files.forEach(OpenDescriptor::close);
        throw new MachineException(
            "message was cut: bytes=%d, files=%d; run one version on all ranks"
                .formatted(length, files.size()));
      }
      return new Received.Message(bytes.asSlice(0, length).toArray(JAVA_BYTE), files);
    }
  }

  private static List<OpenDescriptor> files(MemorySegment control, long length) {
    List<OpenDescriptor> files = new ArrayList<>();
    if (length >= HEADER_BYTES
        && control.get(JAVA_INT, 8) == SOL_SOCKET
        && control.get(JAVA_INT, 12) == SCM_RIGHTS) {
      long end = control.get(JAVA_LONG, 0);
      for (long at = HEADER_BYTES; at + Integer.BYTES <= end; at += Integer.BYTES) {
        files.add(new OpenDescriptor(control.get(JAVA_INT, at)));
      }
    }
    return files;
  }

  private static long controlBytes(int files) {
    return HEADER_BYTES + Math.ceilDiv(files * (long) Integer.BYTES, Long.BYTES) * Long.BYTES;
  }

  private static MemorySegment message(
      Arena arena, MemorySegment bytes, @Nullable MemorySegment control) {
    MemorySegment part = arena.allocate(2L * Long.BYTES, Long.BYTES);
    part.set(ADDRESS, 0, bytes);
    part.set(JAVA_LONG, 8, bytes.byteSize());
    MemorySegment message = arena.allocate(MESSAGE_BYTES, Long.BYTES);
    message.set(ADDRESS, 16, part);
    message.set(JAVA_LONG, 24, 1);
    if (control != null) {
      message.set(ADDRESS, 32, control);
      message.set(JAVA_LONG, 40, control.byteSize());
    }
    return message;
  }

  /** Whether any of the sockets has a message or a connection. */
  public static boolean anyReady(Collection<UnixSocket> sockets) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wanted =
          arena.allocate(Math.max(1, sockets.size()) * (long) POLL_BYTES, Integer.BYTES);
      long at = 0;
      for (UnixSocket socket : sockets) {
        wanted.set(JAVA_INT, at, socket.number());
        wanted.set(JAVA_SHORT, at + Integer.BYTES, (short) POLLIN);
        at += POLL_BYTES;
      }
      return Libc.POLL.demand("sockets=" + sockets.size(), wanted, (long) sockets.size(), 0) > 0;
    }
  }

  private int number() {
    return descriptor.number();
  }

  @Override
  public void close() {
    descriptor.close();
  }

  /**
   * The descriptor of the socket, for sending it through another socket; it stays this socket's.
   */
  OpenDescriptor descriptor() {
    return descriptor;
  }

  /** Makes a socket of a descriptor; the socket owns it from now on. */
  static UnixSocket of(OpenDescriptor descriptor) {
    return new UnixSocket(descriptor);
  }
}
