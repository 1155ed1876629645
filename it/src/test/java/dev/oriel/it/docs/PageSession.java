package dev.oriel.it.docs;

import dev.oriel.it.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Does in the working folder what a reader of a page does, in a process of its own, since a process
 * has one working folder: saves the texts, changes them, and runs the commands. The output of each
 * command is left in a folder, in files named by numbers, with the exit code in the first line.
 */
final class PageSession {
  private static final Pattern TOKEN = Pattern.compile("(?m)^token +(\\S+)");

  private final Path results;
  private int commands;
  private int code;
  private String token = "";

  private PageSession(Path results) {
    this.results = results;
  }

  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    PageSession session = new PageSession(Path.of(arguments[1]));
    Path page = Path.of(arguments[0]);
    saveTextsBefore(page);
    for (PageBlock block : PageBlock.of(Files.readAllLines(page))) {
      session.follow(block);
    }
    System.exit(0);
  }

  /** The reader of a lesson has the texts of the lessons before it. */
  private static void saveTextsBefore(Path page) throws IOException {
    try (Stream<Path> files = Files.list(page.toAbsolutePath().getParent())) {
      for (Path earlier : files.filter(file -> isLessonBefore(file, page)).sorted().toList()) {
        for (PageBlock block : PageBlock.of(Files.readAllLines(earlier))) {
          if (block.kind().equals("oriel")) {
            save(block);
          }
        }
      }
    }
  }

  private static boolean isLessonBefore(Path file, Path page) {
    String name = file.getFileName().toString();
    return name.matches("\\d.*\\.md") && name.compareTo(page.getFileName().toString()) < 0;
  }

  private static void save(PageBlock block) throws IOException {
    Path file = Path.of(block.file());
    if (file.getParent() != null) {
      Files.createDirectories(file.getParent());
    }
    Files.writeString(file, block.text());
  }

  private void follow(PageBlock block) throws IOException {
    switch (block.kind()) {
      case "diff" ->
          Files.writeString(
              Path.of(block.words().get(2)),
              block.applyTo(Files.readString(Path.of(block.file()))));
      case "console" -> {
        for (PageCommand command : PageCommand.of(block)) {
          run(command);
        }
      }
      default -> {
        if (block.hasFile() && !block.snippet()) {
          save(block);
        }
      }
    }
  }

  private void run(PageCommand command) throws IOException {
    List<String> words = new ArrayList<>(command.words());
    StringWriter out = new StringWriter();
    if (command.text().equals("echo $?")) {
      out.append(String.valueOf(code)).append('\n');
    } else if (words.getFirst().equals("./oriel")) {
      words.removeFirst();
      words.replaceAll(word -> word.equals("TOKEN") ? token : word);
      PrintWriter both = new PrintWriter(out, true);
      code = Main.run(words.toArray(String[]::new), both, both);
      both.flush();
      Matcher printed = TOKEN.matcher(out.toString());
      while (printed.find()) {
        token = printed.group(1);
      }
    } else if (words.getFirst().equals("mvn")) {
      code = PageProject.build(words, out);
    } else {
      throw new IllegalStateException(
          "a command that no test runs: line=%d, command=%s; write it into a block of kind sh"
              .formatted(command.line(), command.text()));
    }
    Files.writeString(results.resolve(commands + ".out"), code + "\n" + out);
    commands++;
  }
}
