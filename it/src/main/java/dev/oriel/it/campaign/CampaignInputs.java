package dev.oriel.it.campaign;

import dev.oriel.it.check.CampaignFile;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.SearchOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command line of a part, and the files that it reads. Files get names of their own in the
 * campaign's folder, so no part depends on the names or places of the originals.
 *
 * @param words after {@code oriel}
 * @param files texts by their names
 */
record CampaignInputs(List<String> words, Map<String, String> files) {
  private static final String LINKS = "links.txt";

  /** The options that are the campaign's own. */
  private static final Set<String> OWN =
      Set.of(
          "--parts",
          "--slurm",
          "--kubernetes",
          "--oriel",
          "--image",
          "--claim",
          "--to",
          "--submit",
          "--help",
          "--version",
          "--links");

  static CampaignInputs of(CommandSpec spec, ProgramOptions options, SearchOptions search)
      throws IOException {
    ParseResult given = spec.commandLine().getParseResult();
    Map<String, String> files = new LinkedHashMap<>();
    List<String> words = new ArrayList<>(List.of("check"));
    Optional<String> text = options.text();
    if (text.isPresent()) {
      String file = "program" + suffix(text.get());
      files.put(file, text.get());
      words.add(file);
    } else {
      given.matchedPositionals().forEach(word -> words.addAll(word.originalStringValues()));
    }
    for (OptionSpec option : given.matchedOptions()) {
      String name = option.longestName();
      if (OWN.contains(name)) {
        continue;
      }
      if (option.arity().max() == 0) {
        words.add(name);
      } else {
        option.originalStringValues().forEach(value -> words.addAll(List.of(name, value)));
      }
    }
    if (given.hasMatchedOption("--links")) {
      Optional<Path> links = search.linkFile();
      if (links.isPresent()) {
        files.put(LINKS, Files.readString(links.get()));
      }
      words.addAll(
          List.of("--links", links.isPresent() ? LINKS : given.matchedOptionValue("--links", "")));
    }
    return new CampaignInputs(List.copyOf(words), files);
  }

  /** The kind of a text, by which readers of the folder know it. */
  private static String suffix(String text) {
    String start = text.stripLeading();
    return start.startsWith("<") ? ".xml" : start.startsWith("{") ? ".json" : ".oriel";
  }

  /** The bytes of all these texts. */
  long bytes() {
    return files.values().stream()
        .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }

  /** The names of all files that a part reads. */
  List<String> names() {
    List<String> names = new ArrayList<>(List.of(CampaignFile.NAME));
    names.addAll(files.keySet());
    return names;
  }
}
