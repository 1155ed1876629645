package dev.oriel.sim.levels;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.file.AtomicFileWriter;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The last kept level of one search. Workers write the parts, each into a file of its own. Then the
 * driver writes one text that names all of them with their sums, and only then does the level
 * count. So a level that is cut off is none, and a part that is damaged is noticed.
 */
public final class LevelFolder implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final long MAGIC = 0x4F7269656C4C7631L; // OrielLv1
  private static final String FILE = "kept.txt";
  private static final String FORMAT = "oriel kept level 2";
  private static final long MOST_TEXT = 1 << 24;
  private static final int MOST_PARTS = 1 << 20;
  private static final int CHUNK = 1 << 16;

  private final String folder;

  /** The rooms asked for; empty if the search that begins has none yet. */
  private final Map<String, Integer> rooms;

  LevelFolder(String folder, Map<String, Integer> rooms) {
    this.folder = folder;
    this.rooms = rooms;
  }

  /** A part's file: its length and the sum of its content. */
  public record KeptPart(long bytes, long sum) implements Serializable {}

  /**
   * A kept level.
   *
   * @param rooms of the search that kept it, see {@link SearchJob#rooms}
   */
  public record KeptLevel(
      int depth, LevelCount total, Map<String, Integer> rooms, List<KeptPart> parts)
      implements Serializable {}

  private Path level(int depth) {
    return Path.of(folder, "level-" + depth);
  }

  private static Path file(Path level, int part) {
    return level.resolve("part-" + part);
  }

  private static MachineException failed(Path file, IOException e) {
    return MachineException.lacking(
        "a level cannot be kept: file=%s, reason=%s; make room there, and run again to go on from the last kept level"
            .formatted(file, e),
        e);
  }

  private static MachineException damaged(Path file, String why) {
    return new MachineException(
        "kept level damaged: file=%s, reason=%s; remove the folder to begin anew"
            .formatted(file, why));
  }

  // ---- writing

  /** Keeps all parts of a level of this process, and the rooms of its search. */
  public void write(
      int depth, LevelCount total, Map<String, Integer> having, List<LevelPart> parts) {
    List<KeptPart> kept = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      kept.add(write(depth, i, parts.get(i)));
    }
    finish(depth, total, having, kept);
  }

  /** Keeps one part. To write it once more, elsewhere and at once, writes the same. */
  public KeptPart write(int depth, int number, LevelPart part) {
    Path level = level(depth);
    Path file = file(level, number);
    try {
      Files.createDirectories(level);
      Path beside = Files.createTempFile(level, "part", ".new");
      boolean moved = false;
      try {
        KeptPart kept;
        try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
          PartWriter out = new PartWriter(channel);
          out.add(MAGIC).add(depth).add(number);
          out.add(part.seen());
          NodeBlock nodes = part.frontier();
          out.add(nodes.ends());
          out.add(nodes.paths());
          kept = out.end();
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        moved = true;
        return kept;
      } finally {
        if (!moved) {
          Files.deleteIfExists(beside);
        }
      }
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /** From now on that level counts, whose parts were written; removes earlier ones. */
  public void finish(
      int depth, LevelCount total, Map<String, Integer> having, List<KeptPart> parts) {
    StringBuilder text = new StringBuilder();
    text.append(FORMAT).append('\n');
    SearchCuts left = total.cuts();
    text.append(
        "level %d %d %d %d %d %b %b %b %b %d%n"
            .formatted(
                depth,
                total.states(),
                total.steps(),
                total.executions(),
                total.work(),
                left.sums(),
                left.overtaking(),
                left.polls(),
                left.packets(),
                left.held())
            .replace(System.lineSeparator(), "\n"));
    having.forEach(
        (name, room) -> text.append("room ").append(room).append(' ').append(name).append('\n'));
    Path level = level(depth);
    for (int i = 0; i < parts.size(); i++) {
      Path file = file(level, i);
      try {
        if (Files.size(file) != parts.get(i).bytes()) {
          throw damaged(file, "its length changed");
        }
      } catch (IOException e) {
        throw MachineException.lacking(
            "a worker's part of a level is not here: file=%s; give --keep a folder that all workers share"
                .formatted(file),
            e);
      }
      text.append("part %d %d".formatted(parts.get(i).bytes(), parts.get(i).sum())).append('\n');
    }
    long sum = sum(text.toString());
    text.append("end ").append(sum).append('\n');
    try {
      AtomicFileWriter.write(Path.of(folder, FILE), text.toString());
      remove(depth);
    } catch (IOException e) {
      throw failed(Path.of(folder, FILE), e);
    }
  }

  private static long sum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  private void remove(int except) throws IOException {
    try (Stream<Path> levels = Files.list(Path.of(folder))) {
      for (Path level : levels.toList()) {
        if (Files.isDirectory(level) && !level.equals(level(except))) {
          remove(level);
        }
      }
    }
  }

  /** Removes a folder with all that is in it, as far as it is there. */
  public static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Writes numbers, and sums up what it wrote. */
  private static final class PartWriter {
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
    private final CRC32 sum = new CRC32();
    private long bytes;

    PartWriter(FileChannel channel) {
      this.channel = channel;
    }

    PartWriter add(long word) throws IOException {
      if (buffer.remaining() < Long.BYTES) {
        flush();
      }
      buffer.putLong(word);
      return this;
    }

    void add(long[] words) throws IOException {
      add(words.length);
      for (long word : words) {
        add(word);
      }
    }

    void add(int[] words) throws IOException {
      add(words.length);
      for (int word : words) {
        add((long) word);
      }
    }

    void add(byte[] words) throws IOException {
      add(words.length);
      for (int at = 0; at < words.length; ) {
        if (!buffer.hasRemaining()) {
          flush();
        }
        int some = Math.min(buffer.remaining(), words.length - at);
        buffer.put(words, at, some);
        at += some;
      }
    }

    private void flush() throws IOException {
      buffer.flip();
      sum.update(buffer.duplicate());
      while (buffer.hasRemaining()) {
        bytes += channel.write(buffer);
      }
      buffer.clear();
    }

    KeptPart end() throws IOException {
      flush();
      // Some file systems report a full disk only here.
      channel.force(true);
      return new KeptPart(bytes, sum.getValue());
    }
  }

  // ---- reading

  /**
   * The last kept level, if a search with these rooms, or with any where none were asked for, kept
   * one.
   */
  public Optional<KeptLevel> last() {
    Path file = Path.of(folder, FILE);
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      if (Files.size(file) > MOST_TEXT) {
        throw damaged(file, "too long");
      }
      KeptLevel level = parse(file, Files.readString(file));
      return Optional.of(level).filter(l -> rooms.isEmpty() || l.rooms().equals(rooms));
    } catch (IOException e) {
      throw damaged(file, e.toString());
    }
  }

  @SuppressWarnings("StringSplitter")
  private static KeptLevel parse(Path file, String text) {
    int end = text.lastIndexOf("end ");
    if (!text.startsWith(FORMAT + "\n")
        || end < 0
        || !text.substring(end).equals("end " + sum(text.substring(0, end)) + "\n")) {
      throw damaged(file, "it is not complete, or was changed");
    }
    int depth = 0;
    LevelCount total = LevelCount.NONE;
    Map<String, Integer> rooms = new TreeMap<>();
    List<KeptPart> parts = new ArrayList<>();
    for (String line : text.substring(0, end).lines().skip(1).toList()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "level" -> {
          depth = Integer.parseInt(words[1]);
          SearchCuts left =
              new SearchCuts(
                  Boolean.parseBoolean(words[6]),
                  Boolean.parseBoolean(words[7]),
                  Boolean.parseBoolean(words[8]),
                  Boolean.parseBoolean(words[9]),
                  Long.parseLong(words[10]));
          total =
              new LevelCount(
                  Long.parseLong(words[2]),
                  Long.parseLong(words[3]),
                  Long.parseLong(words[4]),
                  Long.parseLong(words[5]),
                  left,
                  false,
                  null,
                  Map.of());
        }
        case "room" -> rooms.put(line.split(" ", 3)[2], Integer.parseInt(words[1]));
        case "part" -> parts.add(new KeptPart(Long.parseLong(words[1]), Long.parseLong(words[2])));
        default -> throw damaged(file, "unknown line");
      }
    }
    if (parts.isEmpty() || parts.size() > MOST_PARTS) {
      throw damaged(file, "parts=" + parts.size());
    }
    return new KeptLevel(depth, total, rooms, parts);
  }

  /** A part of a kept level, without its count. */
  public LevelPart read(KeptLevel level, int number) {
    Path file = file(level(level.depth()), number);
    KeptPart kept = level.parts().get(number);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() != kept.bytes()) {
        throw damaged(file, "bytes=%d, kept=%d".formatted(channel.size(), kept.bytes()));
      }
      PartReader in = new PartReader(channel);
      if (in.word() != MAGIC || in.word() != level.depth() || in.word() != number) {
        throw damaged(file, "it is of another level or part");
      }
      long[] seen = new long[in.length(Long.BYTES)];
      for (int i = 0; i < seen.length; i++) {
        seen[i] = in.word();
      }
      int[] ends = new int[in.length(Long.BYTES)];
      for (int i = 0; i < ends.length; i++) {
        ends[i] = Math.toIntExact(in.word());
      }
      byte[] paths = new byte[in.length(1)];
      in.bytes(paths);
      if (in.sum() != kept.sum()) {
        throw damaged(file, "its content changed");
      }
      return new LevelPart(seen, new NodeBlock(new long[0], ends, paths), LevelCount.NONE);
    } catch (IOException | ArithmeticException e) {
      throw damaged(file, e.toString());
    }
  }

  /** Reads numbers, and sums up what it read. */
  private static final class PartReader {
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).limit(0);
    private final CRC32 sum = new CRC32();
    private long left;

    PartReader(FileChannel channel) throws IOException {
      this.channel = channel;
      left = channel.size();
    }

    private void fill(int needed) throws IOException {
      buffer.compact();
      int before = buffer.position();
      int more = 0;
      while (more >= 0 && buffer.position() < needed) {
        more = channel.read(buffer);
      }
      sum.update(buffer.array(), before, buffer.position() - before);
      buffer.flip();
      if (buffer.remaining() < needed) {
        throw new IOException("it ends too early");
      }
    }

    long word() throws IOException {
      if (buffer.remaining() < Long.BYTES) {
        fill(Long.BYTES);
      }
      left -= Long.BYTES;
      return buffer.getLong();
    }

    /** A number of values of so many bytes, which are not more than the file has. */
    int length(int each) throws IOException {
      long length = word();
      if (length < 0 || length > left / each || length > Integer.MAX_VALUE - 8) {
        throw new IOException("no such length: " + length);
      }
      return (int) length;
    }

    void bytes(byte[] into) throws IOException {
      for (int at = 0; at < into.length; ) {
        if (!buffer.hasRemaining()) {
          fill(1);
        }
        int some = Math.min(buffer.remaining(), into.length - at);
        buffer.get(into, at, some);
        at += some;
      }
      left -= into.length;
    }

    /** The sum of all, once all was read. */
    long sum() throws IOException {
      return left == 0 ? sum.getValue() : -1;
    }
  }
}
