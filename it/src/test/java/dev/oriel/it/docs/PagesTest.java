package dev.oriel.it.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.it.Main;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.sim.machine.finding.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Pages are true: their commands print what they show, their links lead somewhere, and the list of
 * them is complete. {@code -Doriel.pages=write} replaces outputs that have changed.
 */
class PagesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path DOCS = ROOT.resolve("it").resolve("docs");
  private static final List<String> KINDS =
      List.of("explanation", "howto", "reference", "tutorial");
  private static final boolean WRITE = "write".equals(System.getProperty("oriel.pages"));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** The words after a command's name at the end of a row. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[ /])oriel ((?:[a-z]+)(?: [^`|]*)?)$");

  @TempDir private Path folder;

  /** Folders with what a build makes or downloads: their pages are not of this repository. */
  private static final Set<String> IGNORED = Set.of("target", "cache");

  /** The Markdown pages of the repository, without ignored folders. */
  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT)) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    for (String module :
        List.of("domain", "ports", "adapters-sim", "adapters-cuda", "adapters-ibverbs", "it")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(PagesTest::kept)
            .forEach(pages::add);
      }
    }
    return pages.stream().sorted().toList();
  }

  private static boolean kept(Path file) {
    for (Path folder : file) {
      if (IGNORED.contains(folder.toString())) {
        return false;
      }
    }
    return true;
  }

  /** The pages with commands and their outputs. */
  static List<Path> sessions() throws IOException {
    List<Path> sessions = new ArrayList<>();
    for (Path page : pages()) {
      if (blocks(page).stream().anyMatch(block -> block.kind().equals("console"))) {
        sessions.add(page);
      }
    }
    assertThat(sessions).isNotEmpty();
    return sessions;
  }

  private static List<PageBlock> blocks(Path page) throws IOException {
    try {
      return PageBlock.of(Files.readAllLines(page));
    } catch (IllegalStateException e) {
      throw new IllegalStateException("%s: %s".formatted(page, e.getMessage()), e);
    }
  }

  @ParameterizedTest
  @MethodSource("sessions")
  @Sampled(every = 3)
  void commandsPrintWhatThePageShows(Path page) throws IOException, InterruptedException {
    Path results = Files.createDirectory(folder.resolve("results"));
    Path work = Files.createDirectory(folder.resolve("work"));
    Path log = folder.resolve("log");
    Process reader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                PageSession.class.getName(),
                page.toAbsolutePath().toString(),
                results.toAbsolutePath().toString())
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(reader.waitFor()).as(Files.readString(log)).isZero();
    List<PageCommand> commands = new ArrayList<>();
    for (PageBlock block : blocks(page)) {
      if (block.kind().equals("console")) {
        commands.addAll(PageCommand.of(block));
      }
    }
    List<String> renewed = new ArrayList<>(Files.readAllLines(page));
    for (int i = commands.size() - 1; i >= 0; i--) {
      PageCommand command = commands.get(i);
      List<String> printed = Files.readAllLines(results.resolve(i + ".out"));
      List<String> output = printed.subList(1, printed.size());
      if (WRITE && !command.matches(output)) {
        List<String> shown =
            renewed.subList(command.line(), command.line() + command.output().size());
        List<String> fresh = command.renewed(output);
        shown.clear();
        shown.addAll(fresh);
        continue;
      }
      assertThat(command.matches(output))
          .as(
              "%s:%d: the page shows%n%s%nand the command prints%n%s%n(-Doriel.pages=write replaces it)",
              page, command.line(), String.join("\n", command.output()), String.join("\n", output))
          .isTrue();
    }
    if (WRITE) {
      Files.write(page, renewed);
    }
  }

  /** Code that is a part of a test is in it as it is shown, apart from its indentation. */
  @ParameterizedTest
  @MethodSource("pages")
  void snippetsArePartsOfTests(Path page) throws IOException {
    for (PageBlock block : blocks(page)) {
      if (block.snippet()) {
        assertThat(unindented(Files.readAllLines(ROOT.resolve(block.file()))))
            .as("%s:%d", page, block.line())
            .contains(unindented(block.lines()));
      }
    }
  }

  private static String unindented(List<String> rows) {
    return rows.stream().map(String::strip).collect(Collectors.joining("\n"));
  }

  /** A link leads to a file that exists, and to one of its headings. */
  @ParameterizedTest
  @MethodSource("pages")
  void linksLeadSomewhere(Path page) throws IOException {
    Matcher link = LINK.matcher(Files.readString(page));
    while (link.find()) {
      String target = link.group(1);
      if (target.startsWith("https://") || target.startsWith("http://")) {
        continue;
      }
      String[] parts = target.split("#", 2);
      Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      assertThat(file).as("%s: link %s", page, target).exists();
      if (parts.length == 2) {
        assertThat(anchors(file)).as("%s: link %s", page, target).contains(parts[1]);
      }
    }
  }

  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    boolean code = false;
    for (String row : Files.readAllLines(page)) {
      code ^= row.startsWith("```");
      if (!code && row.startsWith("#")) {
        String words = row.replaceAll("^#+ +", "").replaceAll("[^\\p{Alnum} _-]", "");
        anchors.add(words.toLowerCase(Locale.ROOT).replace(' ', '-'));
      }
    }
    return anchors;
  }

  /** Every page is in a folder of one kind, opens with its reader, and is linked by the README. */
  @Test
  void everyPageHasAKindAReaderAndALink() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    assertThat(readme.lines().count()).isLessThanOrEqualTo(120);
    Set<String> kinds = new TreeSet<>();
    for (Path page : pages()) {
      if (!page.startsWith(DOCS)) {
        continue;
      }
      Path inside = DOCS.relativize(page);
      kinds.add(inside.getName(0).toString());
      assertThat(Files.readAllLines(page).get(2))
          .as("%s opens with its reader", page)
          .startsWith("For ");
      if (!inside.startsWith(Path.of("explanation", "decisions"))) {
        assertThat(readme).as("the README links %s", page).contains("(it/docs/" + inside + ")");
      }
    }
    assertThat(kinds).containsExactlyElementsOf(KINDS);
  }

  /** The reference of findings has every kind that a verdict may name. */
  @Test
  void everyKindOfFindingHasARow() throws IOException {
    List<String> kinds = firstColumn(DOCS.resolve("reference").resolve("findings.md"));
    for (Finding.Kind kind : Finding.Kind.values()) {
      assertThat(kinds).contains(kind.word());
    }
  }

  /** The reference of errors quotes messages that exist. */
  @Test
  void everyMessageOfThePageExists() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files =
        Files.walk(ROOT.resolve("domain").resolve("src").resolve("main").resolve("java"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).sorted().toList()) {
        sources.append(Files.readString(file));
      }
    }
    List<String> messages = firstColumn(DOCS.resolve("reference").resolve("errors.md"));
    assertThat(messages).hasSizeGreaterThan(40);
    assertThat(messages)
        .allSatisfy(message -> assertThat(sources).as(message).contains('"' + message));
  }

  /** The code in the first cell of each row of a page's tables. */
  private static List<String> firstColumn(Path page) throws IOException {
    List<String> cells = new ArrayList<>();
    for (String row : Files.readAllLines(page)) {
      if (row.startsWith("| `")) {
        CODE.matcher(row.substring(1).split(" \\| ", 2)[0])
            .results()
            .forEach(code -> cells.add(code.group(1)));
      }
    }
    return cells;
  }

  /** Commands that no test runs name commands and options that exist. */
  @ParameterizedTest
  @MethodSource("pages")
  void otherCommandsHaveTheirOptions(Path page) throws IOException {
    for (PageBlock block : blocks(page)) {
      if (!block.kind().equals("sh")) {
        continue;
      }
      for (String row : block.lines()) {
        Matcher command = COMMAND.matcher(row.replaceAll(" +[#&].*", ""));
        if (command.find()) {
          List<String> words = new PageCommand(command.group(1), block.line(), List.of()).words();
          assertThatCode(() -> commandLine().parseArgs(words.toArray(String[]::new)))
              .as("%s:%d: %s", page, block.line(), row)
              .doesNotThrowAnyException();
        }
      }
    }
  }

  private static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    line.registerConverter(int.class, text -> (int) OptionNumbers.whole(text, Integer.MAX_VALUE));
    line.registerConverter(long.class, text -> OptionNumbers.whole(text, Long.MAX_VALUE));
    line.registerConverter(
        Integer.class, text -> (int) OptionNumbers.whole(text, Integer.MAX_VALUE));
    line.registerConverter(Long.class, text -> OptionNumbers.whole(text, Long.MAX_VALUE));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line;
  }
}
