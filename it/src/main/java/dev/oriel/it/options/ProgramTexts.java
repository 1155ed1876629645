package dev.oriel.it.options;

import dev.oriel.domain.group.GroupText;
import dev.oriel.domain.msccl.ImportedPlan;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.domain.msccl.MscclReader;
import dev.oriel.domain.msccl.MscclTranslation;
import dev.oriel.domain.mscclpp.ExecutionPlan;
import dev.oriel.domain.mscclpp.ExecutionPlanReader;
import dev.oriel.domain.mscclpp.ExecutionTranslation;
import dev.oriel.domain.naming.NearestName;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.ports.tuning.ProgramLibrary;
import dev.oriel.sim.museum.CaseStudy;
import dev.oriel.sim.museum.CaseStudyCatalogue;
import dev.oriel.sim.museum.CaseStudyPrograms;
import dev.oriel.sim.museum.ProgramRepair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Finds the text of a program: a shipped one, a file, or one made from a group. */
public final class ProgramTexts {
  private static final String MUSEUM = "museum:";
  private static final String GROUP = "group:";
  private static final String TWIN = "/twin";
  private static final String TEXT = ".oriel";

  /** Files of a folder whose names are compared with one that is not there. */
  private static final int MOST_FILES = 1_000;

  /** Threads of a block of NCCL's kernels, which execute MSCCL XML. */
  private static final int XML_THREADS = 512;

  /** Threads of a block of MSCCL++'s executor by default; what a plan says of them is not read. */
  private static final int JSON_THREADS = 1024;

  private ProgramTexts() {}

  /** The names of all shipped programs, in order. */
  public static List<String> names() {
    return ShippedProgram.ALL.stream().map(ShippedProgram::name).toList();
  }

  /** The shipped program of that name. */
  public static Form shipped(CommandSpec spec, String name) {
    if (ShippedProgram.named(name).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "unknown program: name=%s; give one of %s".formatted(name, String.join(", ", names())));
    }
    return form(spec, name);
  }

  public static Form form(CommandSpec spec, String name) {
    if (name.startsWith(GROUP)) {
      return GroupText.form(name.substring(GROUP.length()));
    }
    return ReadTexts.of(spec).parse(name, text(spec, name)).form();
  }

  /** The plan in a file of MSCCL XML, or an execution plan; empty for all other programs. */
  static Optional<ImportedPlan> plan(CommandSpec spec, String name, PlanMode mode) {
    return own(spec, name)
        .filter(ProgramTexts::isPlan)
        .map(text -> {
          String file = ReadTexts.shown(name);
          return MscclReader.isXml(text)
              ? MscclTranslation.imported(MscclReader.read(text, file), mode.blocks())
              : ExecutionTranslation.imported(ExecutionPlanReader.read(text, file), mode.flags());
        });
  }

  /** The plan in a file, with a program for each size of a call; empty if the file has no plan. */
  public static Optional<SizedPlan> sizedPlan(CommandSpec spec, String name) {
    return own(spec, name)
        .filter(ProgramTexts::isPlan)
        .map(text -> {
          String file = ReadTexts.shown(name);
          if (MscclReader.isXml(text)) {
            MscclPlan plan = MscclReader.read(text, file);
            return new SizedPlan(
                plan.world(),
                plan.collective(),
                XML_THREADS,
                bytes -> MscclTranslation.sized(plan, bytes));
          }
          ExecutionPlan plan = ExecutionPlanReader.read(text, file);
          return new SizedPlan(
              plan.world(),
              plan.collective(),
              JSON_THREADS,
              bytes -> ExecutionTranslation.sized(plan, bytes));
        });
  }

  /** Whether a program is a file of MSCCL XML. */
  static boolean isXml(CommandSpec spec, String name) {
    return own(spec, name).filter(MscclReader::isXml).isPresent();
  }

  private static boolean isPlan(String text) {
    return MscclReader.isXml(text) || ExecutionPlanReader.isJson(text);
  }

  /** The text of a program that is a file; empty for a shipped program. */
  static Optional<String> own(CommandSpec spec, String name) {
    boolean other =
        name.startsWith(GROUP)
            || name.startsWith(MUSEUM)
            || AutoProgram.named(name)
            || ShippedProgram.named(name).isPresent();
    return other ? Optional.empty() : Optional.of(text(spec, name));
  }

  /** The text in a file, or of standard input; no other name is a text that can be written. */
  public static String given(CommandSpec spec, String name) {
    if (!name.equals(ReadTexts.INPUT) && !Files.exists(Path.of(name))) {
      throw new ParameterException(
          spec.commandLine(),
          "no such file: path=%s; give the path of a program text, or - for standard input"
              .formatted(name));
    }
    String text = name.equals(ReadTexts.INPUT) ? text(spec, name) : readable(spec, name);
    if (isPlan(text)) {
      throw new ParameterException(
          spec.commandLine(),
          "a plan is no program text: path=%s; give the path of a program text"
              .formatted(ReadTexts.shown(name)));
    }
    return text;
  }

  private static String readable(CommandSpec spec, String name) {
    try {
      return file(spec, name);
    } catch (IOException e) {
      throw unreadable(spec, name, e);
    }
  }

  private static ParameterException unreadable(CommandSpec spec, String name, IOException why) {
    return new ParameterException(
        spec.commandLine(),
        "cannot read the program: path=%s, reason=%s; check the file"
            .formatted(name, UnreadableReason.reason(why)));
  }

  private static String text(CommandSpec spec, String name) {
    if (name.equals(ReadTexts.INPUT)) {
      return ReadTexts.of(spec).input(spec, MscclReader.MOST_TEXT);
    }
    Optional<CaseStudyPrograms> showcase = showcase(spec, name);
    if (showcase.isPresent()) {
      ProgramRepair edit = showcase.get().edit();
      return name.endsWith(TWIN) ? edit.twin() : edit.broken();
    }
    Optional<ShippedProgram> shipped = ShippedProgram.named(name);
    return shipped.isPresent() ? ProgramLibrary.text(shipped.get()) : readable(spec, name);
  }

  /** The exhibit that the name means; empty for all other programs. */
  static Optional<CaseStudyPrograms> showcase(CommandSpec spec, String name) {
    return name.startsWith(MUSEUM)
        ? Optional.of(exhibit(spec, row(name.substring(MUSEUM.length()))))
        : Optional.empty();
  }

  private static String row(String name) {
    return name.endsWith(TWIN) ? name.substring(0, name.length() - TWIN.length()) : name;
  }

  private static CaseStudyPrograms exhibit(CommandSpec spec, String row) {
    CaseStudyCatalogue catalogue = CaseStudyCatalogue.read();
    return catalogue
        .find(row)
        .flatMap(CaseStudy::showcase)
        .orElseThrow(() ->
            new ParameterException(
                spec.commandLine(),
                catalogue.find(row).isPresent()
                    ? "no such exhibit with a program: row=%s; 'oriel museum' says why"
                        .formatted(row)
                    : catalogue.missing(row)));
  }

  /** A program, or a file in that folder, that may be meant. */
  private static Optional<String> nearest(String name) throws IOException {
    Path path = Path.of(name);
    if (Files.isRegularFile(Path.of(name + TEXT))) {
      return Optional.of(name + TEXT);
    }
    // Output names programs by their forms.
    Optional<ShippedProgram> form = ShippedProgram.ofForm(name);
    if (form.isPresent()) {
      return form.map(ShippedProgram::name);
    }
    if (Files.isRegularFile(Path.of(name + TEXT))) {
      return Optional.of(name + TEXT);
    }
    Path folder = path.getParent();
    // Names of files are compared, not paths: what paths share would hide a difference.
    List<String> known = new ArrayList<>(folder == null ? names() : List.of());
    Path searched = folder == null ? Path.of("") : folder;
    if (Files.isDirectory(searched)) {
      try (Stream<Path> files = Files.list(searched)) {
        files
            .limit(MOST_FILES)
            .map(file -> String.valueOf(file.getFileName()))
            .filter(file -> file.endsWith(TEXT))
            .sorted()
            .forEach(known::add);
      }
    }
    return NearestName.of(String.valueOf(path.getFileName()), known)
        .map(file -> folder == null ? file : folder.resolve(file).toString());
  }

  private static String file(CommandSpec spec, String name) throws IOException {
    Path path = Path.of(name);
    if (Files.isDirectory(path)) {
      throw new ParameterException(
          spec.commandLine(),
          "a folder is no program: path=%s; give the path of one program text".formatted(name));
    }
    if (!Files.isRegularFile(path)) {
      throw new ParameterException(
          spec.commandLine(),
          "no such program or file: name=%s; %s"
              .formatted(
                  name,
                  nearest(name)
                      .map(nearest -> "did you mean " + nearest + "?")
                      .orElseGet(
                          () -> name.endsWith(TEXT) ? "give the path of a file" : everyWay())));
    }
    long bytes = Files.size(path);
    if (bytes > MscclReader.MOST_TEXT) {
      throw new ParameterException(
          spec.commandLine(),
          "program file too long: path=%s, bytes=%d, max=%d; give a smaller one"
              .formatted(name, bytes, MscclReader.MOST_TEXT));
    }
    return Files.readString(path);
  }

  private static String everyWay() {
    return "give the path of a program text, - for standard input, museum:ROW, museum:ROW/twin, or one of "
        + String.join(", ", names());
  }
}
