package dev.oriel.sim.oracle;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.litmus.LitmusBattery;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.rows.RandomClockTables;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.ranks.RetryVerdicts;
import dev.oriel.sim.search.LevelSearchComparison;
import dev.oriel.sim.search.SharedStatesComparison;
import dev.oriel.sim.search.ThreadedSearchComparison;
import dev.oriel.sim.search.VersionSearchComparison;
import dev.oriel.sim.time.TimeOrder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A separate engine, one class of which was compiled from a changed source. It loads its classes
 * and their drivers anew and shares all others.
 */
final class MutantLoader extends ClassLoader {
  /** An engine: the package of its sources, its driver, and the packages to load anew. */
  record Engine(String sources, Class<?> battery, List<String> own) {
    static final Engine MACHINE =
        new Engine(
            "dev.oriel.sim.machine",
            Battery.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine RECALL =
        new Engine(
            "dev.oriel.sim.machine",
            StepMemoComparison.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine VERSIONS =
        new Engine(
            "dev.oriel.sim.machine",
            VersionSearchComparison.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine THREADS =
        new Engine(
            "dev.oriel.sim",
            ThreadedSearchComparison.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine LEVELS =
        new Engine(
            "dev.oriel.sim",
            LevelSearchComparison.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine SHARED =
        new Engine(
            "dev.oriel.sim.search", SharedStatesComparison.class, List.of("dev.oriel.sim.search."));
    static final Engine DRAWN =
        new Engine(
            "dev.oriel.sim.machine",
            SimulatedOutcomes.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine DRAWN_SEARCH =
        new Engine(
            "dev.oriel.sim.search",
            SimulatedOutcomes.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine ENDS =
        new Engine(
            "dev.oriel.sim.machine",
            ExhaustiveEndings.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine FAULTS =
        new Engine(
            "dev.oriel.sim.machine",
            FaultEndings.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine EDGES =
        new Engine(
            "dev.oriel.sim.machine",
            SuppliedEndings.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine RETRIES =
        new Engine("dev.oriel.sim.machine", RetryVerdicts.class, List.of("dev.oriel.sim."));
    static final Engine UNORDERED_PUTS =
        new Engine(
            "dev.oriel.sim.machine", RandomWalkEndings.class, List.of("dev.oriel.sim.machine."));
    static final Engine ROWS =
        new Engine(
            "dev.oriel.sim.machine", RandomClockTables.class, List.of("dev.oriel.sim.machine."));
    static final Engine SYMMETRY =
        new Engine(
            "dev.oriel.sim.machine",
            PermutationWalks.class,
            List.of("dev.oriel.sim.machine.", "dev.oriel.sim.search."));
    static final Engine TIME =
        new Engine("dev.oriel.sim.time", TimeOrder.class, List.of("dev.oriel.sim.time."));
    static final Engine OPERATIONAL =
        new Engine(
            "dev.oriel.sim.litmus.steps", LitmusBattery.class, List.of("dev.oriel.sim.litmus."));

    private Path file(String name) {
      Path folder = Path.of("src/main/java", sources.replace('.', '/'));
      try (Stream<Path> files = Files.walk(folder)) {
        return files.filter(file -> file.endsWith(name + ".java")).findFirst().orElseThrow();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Never closed: opening the JDK and the jars took a quarter of the time of a change. */
  private static final JavaFileManager OPEN = COMPILER.getStandardFileManager(null, null, null);

  private final Engine engine;
  private final Map<String, byte[]> compiled;

  private MutantLoader(Engine engine, Map<String, byte[]> compiled) {
    super(MutantLoader.class.getClassLoader());
    this.engine = engine;
    this.compiled = compiled;
  }

  /** The battery of an engine, with that change applied. */
  @SuppressWarnings("unchecked")
  static UnaryOperator<String> battery(Engine engine, EngineMutant mutant) throws Exception {
    String source = Files.readString(engine.file(mutant.file()));
    int at = source.indexOf(mutant.line());
    if (at < 0 || source.indexOf(mutant.line(), at + 1) >= 0) {
      throw new AssertionError(
          "a line that a mutant changes is not there once: file=%s.java, line='%s'; adapt the list"
              .formatted(mutant.file(), mutant.line()));
    }
    String changed =
        source.substring(0, at) + mutant.becomes() + source.substring(at + mutant.line().length());
    MutantLoader loader = new MutantLoader(engine, compile(engine, mutant, changed));
    return (UnaryOperator<String>)
        loader.loadClass(engine.battery().getName()).getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean own =
        engine.own().stream().anyMatch(name::startsWith)
            || name.startsWith(engine.battery().getName());
    if (!own) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytes = compiled.containsKey(name) ? compiled.get(name) : original(name);
        loaded = defineClass(name, bytes, 0, bytes.length);
      }
      return loaded;
    }
  }

  private byte[] original(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /** Whether a battery with a changed engine finds a difference in the program, or fails in it. */
  static boolean differs(UnaryOperator<String> changed, String program) {
    try {
      return !changed.apply(program).isEmpty();
    } catch (ProgramException e) {
      return false;
    } catch (RuntimeException | AssertionError e) {
      return true;
    }
  }

  /** One change at a time, since all compilations share the open files. */
  private static synchronized Map<String, byte[]> compile(
      Engine engine, EngineMutant mutant, String source) throws Exception {
    Map<String, ByteArrayOutputStream> written = new HashMap<>();
    StringWriter errors = new StringWriter();
    String own =
        Path.of(Simulation.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    String classPath = own + java.io.File.pathSeparator + System.getProperty("java.class.path");
    boolean good =
        COMPILER
            .getTask(
                errors,
                new Kept(OPEN, written),
                null,
                List.of("-proc:none", "-nowarn", "-Xlint:none", "-classpath", classPath),
                null,
                List.of(new Text(engine.file(mutant.file()), source)))
            .call();
    if (!good) {
      throw new AssertionError("a mutant is no program: %s%n%s".formatted(mutant, errors));
    }
    Map<String, byte[]> classes = new HashMap<>();
    written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  /** A source text. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(Path file, String text) {
      super(URI.create("string:///" + file), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps compiled classes in memory. */
  private static final class Kept extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written;

    Kept(JavaFileManager files, Map<String, ByteArrayOutputStream> written) {
      super(files);
      this.written = written;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(name, bytes);
      return new SimpleJavaFileObject(URI.create("bytes:///" + name.replace('.', '/')), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
